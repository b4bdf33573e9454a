import * as z from "zod";
import { type KindName, kindsByName } from "../kinds.ts";
import { customer } from "./customer.ts";
import { inventory } from "./inventory.ts";
import { inventoryLocation } from "./inventoryLocation.ts";
import { product } from "./product.ts";
import { sale } from "./sale.ts";

export const kindName = z
  .enum(Object.keys(kindsByName) as KindName[])
  .meta({ id: "KindName", description: "A kind of records that are replicated from a POS" });

/** A page of changes (docs/spec.md#change-feed). */
export const changes = z
  .strictObject({
    data: z
      // Lists the two kinds of sale separately: Java clients of OpenAPI Generator do not find a choice within a
      // choice.
      .array(z.union([customer, product, inventory, inventoryLocation, ...sale.options]))
      .describe("Records of the kind in their current state, the one that changed longest ago first"),
    cursor: z.string().describe("Send it with the next request to continue, even if `data` is empty. It never expires"),
    has_more: z.boolean().describe("`true` if more changes are stored; `false` if this page was the last"),
    reset: z
      .literal(true)
      .optional()
      .meta({
        description:
          "`true` if the service was restored from a backup: discard your copy of this kind, and rebuild it from this page and the next ones",
        // This schema means `const: true`. For `const: true` itself, OpenAPI Generator writes an enumeration that Java
        // compilers reject.
        override: ({ jsonSchema }) => {
          delete jsonSchema.const;
          Object.assign(jsonSchema, { type: "boolean", not: { const: false } });
        },
      }),
  })
  .meta({ id: "Changes", description: "Records that were created or changed since a cursor" });
