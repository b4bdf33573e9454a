import * as z from "zod";
import { posTypeName } from "./codes.ts";
import { product } from "./product.ts";
import { count, dateTime, localDateTime, uuid } from "./scalars.ts";

const stock = {
  id: uuid.describe("The `inventory_id`"),
  crb_id: uuid.describe("Owning CRB"),
  pos_type: posTypeName.describe("Source POS"),
  product_id: uuid.nullable().describe("The product; null when the POS links none"),
  name: z.string().describe("Product name"),
  sku: z.string().nullable().describe("Stock-keeping unit, if the POS gives it"),
  barcode: z.string().nullable().describe("Track-and-trace tag, if the POS gives it"),
  total_quantity: z.number().min(0).describe("Quantity over all locations"),
  pos_updated_date: dateTime.nullable().describe("Last update in the POS"),
  pos_updated_date_local: localDateTime.nullable(),
  svc_created_date: dateTime.describe("Inserted in the service"),
  svc_updated_date: dateTime.describe("Inserted or updated in the service"),
};

const embedded = {
  product: product
    .nullable()
    .optional()
    .describe("Present with `expand=true` only; null when no product is known. Tolerate an empty object, too"),
};

/** A CRB's stock of one package or product, over all its locations (docs/spec.md#products-and-inventory). */
export const inventory = z
  .strictObject({
    ...stock,
    location_data: z
      .array(
        z.strictObject({
          name: z.string().nullable().describe("Location name"),
          quantity: count.describe("Quantity there"),
          location_id: uuid.describe("The location"),
          pos_location_type: z.string().nullable().describe("Location type in the POS"),
        }),
      )
      .optional()
      .describe("Quantities by location; absent when the POS has none"),
    ...embedded,
  })
  .meta({ id: "Inventory", description: "What a CRB holds of one package or product, over all of its locations" });

/** The stock of it at one location (docs/spec.md#products-and-inventory). */
export const locationInventory = z
  .strictObject({ ...stock, quantity: count.describe("Quantity at this location"), ...embedded })
  .meta({ id: "LocationInventory", description: "What lies of it at one location" });
