import { lacks } from "../../api/pos/posTypes.ts";
import type { Connection } from "../../pos/connector.ts";
import { weight } from "../../pos/framework/conversions/grams.ts";
import {
  emptySaleCustomer,
  type PosDeduction,
  type PosLineItem,
  type PosSale,
  type PosSaleCustomer,
  type ProductCategory,
} from "../../pos/posRecords.ts";
import { itemId, type Table } from "../../store/client.ts";
import { isErased } from "../../store/customers.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { toLocalTime } from "../../time/localTime.ts";
import { findSurvivors, type MergeableCustomer } from "./mergedCustomers.ts";
import { readReplicated } from "./readReplicated.ts";

/** The kinds of records that sales take missing fields from. */
const sources = ["product", "customer"] as const;

/** The fields of a replicated product that are copied into a sale's line. */
interface Product {
  name: string;
  svc_product_category_name: ProductCategory | null;
  medicated: boolean | null;
  svc_net_weight_grams: number | null;
  thc_mg_per_unit: number | null;
}

/** A replicated customer. */
type Customer = IdentifiedCustomer & MergeableCustomer & Record<string, unknown>;

/**
 * The fields of a replicated customer that a sale's customer fields derive from. The ids are hashed
 * (docs/spec.md#hashed-fields).
 */
interface IdentifiedCustomer {
  dob: string | null;
  medical_id: string | null;
  medical_id_expiration_date: string | null;
  drivers_license_id: string | null;
  drivers_license_expiration_date: string | null;
  other_id: string | null;
  other_id_expiration_date: string | null;
  caregiver: boolean | null;
}

/**
 * Fills in product and customer fields of sales in which the POS reports only the ids of products and customers
 * (`completed_by_replicated`). The values come from the replicated products and customers. If a product or customer is not
 * stored yet, the fields stay null, and the next pull reads the sale again (`PullRequest.caughtUpTo`). If the POS merged the
 * customer into another one, the sale names the other one, once that one is stored (docs/spec.md#merged-customers).
 */
export async function completeSales(
  table: Table,
  connection: Pick<Connection, "crbId" | "posType">,
  sales: readonly PosSale[],
): Promise<PosSale[]> {
  const bare = sales.filter(({ completed_by_replicated }) => completed_by_replicated);
  if (bare.length === 0) return [...sales];
  const [products, customers] = await Promise.all([
    readReplicated<Product>(
      table,
      connection,
      "product",
      bare.flatMap(({ line_items, discounts }) => [...line_items, ...discounts].map((part) => part.pos_product_id)),
    ),
    readReplicated<Customer>(
      table,
      connection,
      "customer",
      bare.map(({ customer }) => customer?.pos_customer_id),
    ),
  ]);
  const survivors = await findSurvivors(table, connection.crbId, customers.values());
  return sales.map((sale) => {
    if (!sale.completed_by_replicated) return sale;
    const line_items = sale.line_items.map((line) => completeLine(line, products.get(line.pos_product_id ?? "")));
    const discounts = sale.discounts.map((one) => completeDiscount(one, products.get(one.pos_product_id ?? "")));
    const known = customers.get(sale.customer?.pos_customer_id ?? "");
    const buyer = known && (survivors.get(known.id) ?? known);
    const named = buyer && buyer !== known ? withCustomer(sale, buyer) : sale;
    const customer =
      named.customer && (buyer && isErased(buyer) ? named.customer : completeCustomer(named.customer, buyer));
    return { ...named, line_items, discounts, customer } as PosSale;
  });
}

/** The sale with another customer; without a customer if the other one is erased. */
function withCustomer(sale: PosSale, buyer: Customer): PosSale {
  const pos_customer_id = isErased(buyer) ? null : buyer.pos_customer_id;
  const { pos_customer_id: merged, type = null } = sale.customer ?? {};
  const customer = { ...(isErased(buyer) ? { ...emptySaleCustomer, type } : sale.customer), pos_customer_id };
  if (sale.type === "retail") return { ...sale, customer } as PosSale;
  const isNamed = sale.invoice.pos_customer_id === merged;
  return { ...sale, customer, ...(isNamed && { invoice: { ...sale.invoice, pos_customer_id } }) } as PosSale;
}

export function completeLine(line: PosLineItem, product: Product | undefined): PosLineItem {
  if (!product) return line;
  return {
    ...line,
    product_name: line.product_name ?? product.name,
    product_type: line.product_type ?? product.svc_product_category_name,
    cannabis_product: line.cannabis_product ?? product.medicated,
    grams: line.grams ?? weight(line.num_units, product.svc_net_weight_grams),
    thc_mg_per_unit: line.thc_mg_per_unit ?? product.thc_mg_per_unit,
  };
}

function completeDiscount(discount: PosDeduction, product: Product | undefined): PosDeduction {
  return { ...discount, name: discount.name ?? product?.name ?? null };
}

/**
 * Fills in the customer fields of a sale. The POS does not say which document the customer showed. A medical sale gets the
 * customer's medical id. All other sales, and medical sales to a customer without a medical id, get the driver's license. If
 * the customer has no driver's license either, they get the id of a caregiver.
 */
export function completeCustomer(shown: PosSaleCustomer, customer: IdentifiedCustomer | undefined): PosSaleCustomer {
  if (!customer) return shown;
  const dob = shown.dob ?? customer.dob;
  if (shown.id_type !== null) return { ...shown, dob };
  if (shown.type === "medical" && customer.medical_id !== null) {
    return { ...shown, dob, id_type: "medical", id_expiration_date: customer.medical_id_expiration_date };
  }
  if (customer.drivers_license_id !== null) {
    return { ...shown, dob, id_type: "drivers", id_expiration_date: customer.drivers_license_expiration_date };
  }
  if (customer.caregiver && customer.other_id !== null) {
    return { ...shown, dob, id_type: "caregiver", id_expiration_date: customer.other_id_expiration_date };
  }
  return { ...shown, dob };
}

/**
 * The time up to which all products and customers are stored. Sales after this time can name records that are not stored yet,
 * so the next pull reads these sales again. A run that may have missed a record does not advance this time.
 *
 * @param isLacking whether the POS lacks a kind: no later record of it can complete a sale
 * @returns the start of 1970 until all products and all customers have been read once; undefined if the POS lacks both
 */
export async function readCaughtUpTo(
  table: Table,
  { crbId, posType }: Pick<Connection, "crbId" | "posType">,
  isLacking = lacks,
): Promise<Date | undefined> {
  const present = sources.filter((kind) => !isLacking(posType, kind));
  if (present.length === 0) return undefined;
  const items = await table.batchGet(
    present.map((kind) => replicationKey(crbId, kind)),
    { attributes: ["data_as_of"] },
  );
  const instants = present.map((kind) => items.get(itemId(replicationKey(crbId, kind)))?.data_as_of);
  return new Date(Math.min(...instants.map((instant) => (typeof instant === "string" ? Date.parse(instant) : 0))));
}

/**
 * Keeps the stored date of a voided sale, because a POS may report the date of the voiding in place of the date of the sale.
 * The local date follows from it in the CRB's present time zone, which may have changed since the sale was stored. A POS
 * that reports the stored local date reports the sale itself: in another time zone, its instant is another one.
 */
export function keepDateOfVoided(timezone: string) {
  return (content: Record<string, unknown>, stored: Record<string, unknown>): Record<string, unknown> => {
    const { transaction_type, total_paid, line_items } = content as unknown as PosSale;
    const isVoided = transaction_type === "adjustment" && total_paid === 0 && line_items.length === 0;
    if (!isVoided || content.local_date === stored.local_date) return content;
    const local_date = toLocalTime(stored.date as string, timezone);
    return local_date === null ? content : { ...content, date: stored.date, local_date };
  };
}
