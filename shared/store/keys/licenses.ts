import type { Key } from "./key.ts";

/** Which generation of the licenses is the present one (`shared/domain/licenses/presentGeneration.ts`). */
export const licensesKey: Key = { pk: "LICENSES", sk: "PRESENT" };
