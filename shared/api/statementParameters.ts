import * as z from "zod";
import { integer, limitDescription, pageCursor } from "./parameters.ts";

// Apart from the other parameters, which stay in the bundles of all functions.

/** Pages by cursor of the statements of a CRB. */
export const statementsQuery = z.strictObject({
  cursor: pageCursor,
  limit: integer(1, 1000, 100).meta({ description: limitDescription }),
});
