import * as z from "zod";
import {
  decimal,
  fields,
  flag,
  id,
  imageUrl,
  instant,
  list,
  longText,
  money,
  number,
  statusFlag,
  text,
} from "../../framework/wireFields.ts";

// The fields of Alleaves's responses that the connector reads. The row of a location also contains the company's keys
// for a system of the state; the connector never reads these keys. Amounts are dollars.

/** The token is sent in a header, so only characters that a header may contain are allowed. */
export const signInResponse = z.object({ token: z.string().regex(/^[\x21-\x7e]{1,8192}$/) });

/** `exp` is the token's expiry in seconds since 1970. */
export const claims = z.object({ exp: z.number() });

const unknowns = z.array(z.unknown());

/** The rows of a list. The response is the list itself, or an object with the list in one of these properties. */
export const rows = z.union([
  unknowns,
  z.object({ data: unknowns }).transform(({ data }) => data),
  z.object({ customers: unknowns }).transform(({ customers }) => customers),
  z.object({ orders: unknowns }).transform(({ orders }) => orders),
]);

export const location = z.object({
  id_location: id,
  ...fields(text, "reference", "legal_name", "address", "city", "state", "postal_code"),
});

export const area = z.object({ id_area: id, id_location: text, name: text, path: text, deleted: flag });
export type Area = z.output<typeof area>;

/** A row of an inventory search: a batch, with its product. */
export const stockRow = z.object({
  id_batch: id,
  id_item: id,
  ...fields(text, "id_location", "item", "sku", "brand", "category", "strain", "uom", "weight_useable_uom", "batch"),
  ...fields(text, "metrc_package_label", "id_area", "area", "status"),
  ...fields(flag, "is_cannabis", "deleted"),
  ...fields(number, "weight_useable", "on_hand", "available"),
  ...fields(money, "price_retail_adult_use", "price_retail_medical_use", "price_retail", "cost_of_good"),
  /** number of rows in the whole response */
  total_rows: number,
  ...fields(instant, "date_updated", "batch_date_updated"),
});
export type StockRow = z.output<typeof stockRow>;

/** A row of an inventory search with the texts of its product, which may be long. */
export const productRow = stockRow.extend({ description: longText, image_url: imageUrl });
export type ProductRow = z.output<typeof productRow>;

export const customer = z.object({
  id_customer: id,
  ...fields(text, "name_first", "name_last", "email", "phone", "date_of_birth"),
  loyalty_points: decimal,
});
export type Customer = z.output<typeof customer>;

/** A row of an order, which is one unit. Its `id_item` is not read, because it is not the id of a product. */
const orderItem = z.object({
  ...fields(text, "id_inventory_item", "item"),
  quantity: number,
  ...fields(money, "price", "price_override"),
});
export type OrderItem = z.output<typeof orderItem>;

export const order = z.object({
  id_order: id,
  ...fields(text, "id_location", "id_customer", "use_type", "status"),
  date_created: instant,
  total: money,
  complete: flag,
  paid_in_full: statusFlag,
  ...fields(statusFlag, "void", "cancel"),
  items: list(orderItem),
});
export type Order = z.output<typeof order>;
