import type { Key } from "./key.ts";

export const storedFormatKey: Key = { pk: "FORMAT", sk: "FORMAT" };
