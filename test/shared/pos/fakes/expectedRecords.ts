import type { RecordKind } from "../../../../shared/api/kinds.ts";
import type { RejectedPosRecord } from "../../../../shared/pos/connector.ts";
import { kindsOf, type PosName, traitsOf } from "./fakePos.ts";
import { rooms, type Shop, type ShopSale } from "./shop.ts";

/** The number of records of each kind that a first pull reads from a shop that does not change meanwhile. */
export function expectedRecords(name: PosName, shop: Shop): Record<RecordKind, number> {
  const traits = traitsOf(name);
  const retail = shop.sales.filter(({ kind }) => kind === "retail");
  const isReported = ({ original }: ShopSale) => original === null || !traits.hasNoReturns;
  const sold = retail.filter((sale) => (sale.status === "sold" || sale.status === "voided") && isReported(sale));
  const [product, stock] = [shop.products.length, shop.packages.length];
  const inventory = { product, package: stock, both: product + stock };
  const buyers = new Set(retail.map(({ customer }) => customer).filter((customer) => customer !== null));
  const has = (kind: RecordKind, count: number) => (kindsOf(name).includes(kind) ? count : 0);
  return {
    location: has("location", rooms.length),
    product: has("product", product),
    customer: has("customer", traits.hasOnlyBuyers ? buyers.size : shop.customers.length),
    inventory: has("inventory", inventory[traits.inventoryOf ?? "package"]),
    sale: has("sale", sold.length),
  };
}

/** The rejections that no fake plans. Every fake has some rows of unknown status. */
export function unplannedRejections(rejected: readonly RejectedPosRecord[]): RejectedPosRecord[] {
  return rejected.filter(({ reason }) => reason !== "unknown_status");
}
