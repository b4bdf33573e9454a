import type * as z from "zod";
import type { customer } from "../../api/schemas/customer.ts";
import type { inventory } from "../../api/schemas/inventory.ts";
import type { inventoryLocation } from "../../api/schemas/inventoryLocation.ts";
import type { product } from "../../api/schemas/product.ts";
import type { retailSale, wholesaleSale } from "../../api/schemas/sale.ts";

type ServiceDate = "svc_created_date" | "svc_updated_date";

/** A record of the API before the writer has set the service dates: these dates are null. */
type Undated<Schema extends z.ZodType> = Omit<z.input<Schema>, ServiceDate> &
  Record<Extract<keyof z.input<Schema>, ServiceDate>, null>;

/** The content that the normalizer of each kind returns: every field of the kind's API schema. */
export interface RecordContent {
  location: Undated<typeof inventoryLocation>;
  product: Undated<typeof product>;
  customer: Undated<typeof customer>;
  inventory: Undated<typeof inventory>;
  sale: Undated<typeof retailSale> | Undated<typeof wholesaleSale>;
}
