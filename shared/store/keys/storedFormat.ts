import type { Key } from "./key.ts";

/** The number of the form of all stored data (`shared/store/storedFormat.ts`). */
export const storedFormatKey: Key = { pk: "FORMAT", sk: "FORMAT" };
