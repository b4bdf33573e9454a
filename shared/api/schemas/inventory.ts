import * as z from "zod";
import { posTypeName } from "./codes.ts";
import { product } from "./product.ts";
import { count, dateTime, localDateTime, uuid } from "./scalars.ts";

const stock = {
  id: uuid.describe("The `inventory_id`"),
  crb_id: uuid.describe("Owning CRB"),
  pos_type: posTypeName.describe("Source POS"),
  product_id: uuid.nullable().describe("The product; null if the POS links none"),
  name: z.string().describe("Product name"),
  sku: z.string().nullable().describe("Stock-keeping unit, if the POS has it"),
  barcode: z.string().nullable().describe("Track-and-trace tag, if the POS has it"),
  total_quantity: z.number().min(0).describe("Quantity over all locations"),
  pos_updated_date: dateTime.nullable().describe("Last update in the POS"),
  pos_updated_date_local: localDateTime.nullable(),
  svc_created_date: dateTime.describe("When the record was created in the service"),
  svc_updated_date: dateTime.describe("When the record last changed in the service"),
};

const embedded = {
  product: product
    .nullable()
    .optional()
    .describe("Only with `expand=true`; null if the product is unknown. Clients must also accept an empty object"),
};

/** A CRB's stock of one package or product, over all its locations (docs/spec.md#products-and-inventory). */
export const inventory = z
  .strictObject({
    ...stock,
    location_data: z
      .array(
        z.strictObject({
          name: z.string().nullable().describe("Location name"),
          quantity: count.describe("Quantity at the location"),
          location_id: uuid.describe("Id of the location"),
          pos_location_type: z.string().nullable().describe("Location type in the POS"),
        }),
      )
      .optional()
      .describe("Quantities by location; absent if the POS has none"),
    ...embedded,
  })
  .meta({ id: "Inventory", description: "The stock of one package or product of a CRB, over all locations" });

/** A CRB's stock of one package or product at one location (docs/spec.md#products-and-inventory). */
export const locationInventory = z
  .strictObject({ ...stock, quantity: count.describe("Quantity at this location"), ...embedded })
  .meta({ id: "LocationInventory", description: "The stock of one package or product at one location" });
