import type { Key } from "./key.ts";

/** The current generation of the licenses (`shared/domain/licenses/presentGeneration.ts`). */
export const licensesKey: Key = { pk: "LICENSES", sk: "PRESENT" };
