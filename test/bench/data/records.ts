import type { RecordKind } from "../../../shared/api/kinds.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import type { PosRecords } from "../../../shared/pos/posRecords.ts";
import { sandboxConnector } from "../../../shared/pos/sandbox/sandboxConnector.ts";

/** Makes the POS's record with a number, in the given version. */
export type RecordMaker<Kind extends RecordKind> = (index: number, version: number) => PosRecords[Kind];

/** The first name that figures search for, and the share of customers who have it. */
export const sharedName = { share: 0.01, name: "Marigold" };

/** The customer whose sales are listed, and how many of all sales this customer bought. */
export const regular = { posId: "1", sales: (sales: number): number => Math.min(2_000, Math.floor(sales / 20)) };

/** The customer on whom the shop books every other sale. */
export const walkIn = { posId: "2" };

/** Sales lie in the year before the first day of the data. */
export const saleDays = 365;

/** The e-mail address of a customer. */
export const emailOf = (index: number): string => `shopper.${index}@example.com`;

/** Makes any number of customers like those of the sandbox, each with its own number and e-mail address. */
export async function customerMaker(connection: Connection): Promise<RecordMaker<"customer">> {
  const patterns = await sandboxRecords(connection, "customer");
  return (index, version) => ({
    ...pick(patterns, index),
    pos_customer_id: String(100_000 + index),
    email_address: emailOf(index),
    ...(index % (1 / sharedName.share) === 0 && { first_name: sharedName.name }),
    loyalty_points: String(version),
  });
}

/** Makes sales that are spread over a year, some of them to the regular customer and half of them to the walk-in customer. */
export async function saleMaker(connection: Connection, total: number): Promise<RecordMaker<"sale">> {
  const patterns = (await sandboxRecords(connection, "sale")).filter((sale) => sale.type === "retail");
  const everyNth = Math.floor(total / regular.sales(total));
  const end = Date.parse(connection.connectedAt);
  const customerOf = (index: number) => {
    if (index % everyNth === 0) return regular.posId;
    return index % 2 ? walkIn.posId : String(10 + index);
  };
  return (index, version) => {
    const sale = pick(patterns, index);
    return {
      ...sale,
      pos_sale_id: String(500_000 + index),
      date: new Date(end - ((index % saleDays) * 86_400_000 + 3_600_000)).toISOString(),
      employee_id: String(100 + version),
      customer: { ...sale.customer, pos_customer_id: customerOf(index) },
    };
  };
}

/** Makes products whose records take 3 KB, with a long description such as shops show. */
export async function productMaker(connection: Connection): Promise<RecordMaker<"product">> {
  const patterns = await sandboxRecords(connection, "product");
  const sentence = "Grown indoors in living soil, hand trimmed, slowly cured for three weeks and tested by lot. ";
  return (index) => {
    const product = pick(patterns, index);
    const missing = 2_800 - JSON.stringify(product).length;
    return {
      ...product,
      pos_product_id: String(400_000 + index),
      description: sentence.repeat(30).slice(0, Math.max(200, missing)),
    };
  };
}

/** The number of rooms that hold inventory. */
export const rooms = 20;

/** The number of rooms that hold a package: one, two, or three. */
export const roomsOfPackage = (index: number): number => 1 + (index % 3);

export const roomMaker: RecordMaker<"location"> = (index) => ({
  pos_location_id: String(200 + index),
  name: `Room ${index}`,
  pos_location_type: index % 2 === 0 ? "Vault" : null,
  pos_updated_date: null,
});

/** Makes inventory of the given number of products, with each package in one to three rooms. */
export async function inventoryMaker(connection: Connection, products: number): Promise<RecordMaker<"inventory">> {
  const patterns = await sandboxRecords(connection, "inventory");
  return (index, version) => {
    const quantity = 1 + version;
    const places = Array.from({ length: roomsOfPackage(index) }, (_, i) => roomMaker((index * 7 + i) % rooms, 0));
    return {
      ...pick(patterns, index),
      pos_inventory_id: String(300_000 + index),
      pos_product_id: String(400_000 + (index % products)),
      total_quantity: quantity * places.length,
      location_data: places.map((place) => ({ ...place, quantity })),
    };
  };
}

async function sandboxRecords<Kind extends RecordKind>(connection: Connection, kind: Kind) {
  const now = new Date(connection.connectedAt);
  return (await sandboxConnector(900).pull(connection, { kind, since: null, position: null, now })).records;
}

function pick<Element>(elements: readonly Element[], index: number): Element {
  return elements[index % elements.length] as Element;
}
