import * as z from "zod";
import { insightStatuses } from "./enumerations.ts";
import { integer, limitDescription, pageCursor } from "./parameters.ts";
import { UUID } from "./patterns.ts";

// Apart from the other parameters, which stay in the bundles of all functions.

/** Pages by cursor of the insights of a CRB. */
export const crbInsightsQuery = z.strictObject({
  cursor: pageCursor.meta({
    description: "The `cursor` of the previous page; without it, the list begins with its first record",
  }),
  limit: integer(1, 1000, 100).meta({ description: limitDescription }),
  status: z.enum(insightStatuses).optional().meta({ description: "Only insights with this status" }),
});

/** Pages by cursor of the insights of a service provider. */
export const insightsQuery = crbInsightsQuery.extend({
  crb_id: z
    .string()
    .regex(UUID, { error: "must be a uuid" })
    .toLowerCase()
    .optional()
    .meta({ description: "Only insights of this CRB" }),
});
