import { isSameSum, sum } from "../../../money/sums.ts";
import type { PosStore } from "../../connector.ts";
import { companyOfSale, companyRecord } from "../../framework/companyRecord.ts";
import { dollarsToCents, dollarsToFineCents, fine, nullIfNegative, price } from "../../framework/conversions/cents.ts";
import { netGramsPer, netWeight, weight } from "../../framework/conversions/grams.ts";
import { productCategory } from "../../framework/conversions/productCategory.ts";
import { voided } from "../../framework/conversions/reversals.ts";
import { share } from "../../framework/conversions/share.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { flatSum } from "../../framework/conversions/sums.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import {
  emptyProduct,
  emptySale,
  emptySaleLine,
  type PosCustomer,
  type PosDeduction,
  type PosInventory,
  type PosLineItem,
  type PosLocation,
  type PosProduct,
  type PosSale,
  type PosWholesaleSale,
  posLocation,
  quantityAt,
} from "../../posRecords.ts";
import { hasReturns, keptMoney, keptShare, moneyOf, type OrderMoney } from "./orderMoney.ts";
import type { Destination, Item, Line, Order, Stock } from "./responses.ts";

export function customerRecord(row: Destination): PosCustomer {
  return companyRecord({
    id: row.id,
    name: row.name ?? row.alias,
    email: row.company_email,
    phone: row.company_phone_number,
    license: row.license_number,
    address: [row.address_line_1, row.address_line_2, row.city, row.state, row.zip_code],
    updated: row.last_updated_timestamp,
  });
}

/** What items of a type contain. Flourish documents these types; of raw materials, it does not say what they are. */
const contentsOf = statusFinder({ cannabis: "Cannabis", none: "Supplies" });

export function productRecord(row: Item): PosProduct {
  const category = row.item_category ?? row.item_class;
  const contents = contentsOf(row.inventory_type);
  const svc_product_category_name = productCategory(row.item_category, row.item_class);
  return {
    ...emptyProduct,
    pos_product_id: row.id,
    name: row.item_name ?? `Item ${row.id}`,
    svc_product_category_name,
    pos_product_category_name: category,
    pos_product_subcategory_name: category === row.item_class ? null : row.item_class,
    pos_strain_name: row.strain_name,
    pos_brand_name: row.brand ?? null,
    medicated: contents === null ? null : contents === "cannabis",
    sku: row.sku,
    description: row.item_description,
    svc_net_weight_grams: netWeight(row.unit_weight, row.weight_uom, svc_product_category_name),
    pos_unit_of_measure: row.uom,
    price: price(dollarsToCents(row.price)),
    unit_cost: nullIfNegative(dollarsToFineCents(row.cost)),
    pos_updated_date: row.last_updated_timestamp,
  };
}

/** The place of stock: its location, else its area, else the facility. Prefixes distinguish their ids. */
export function placeOf(row: Stock, facility: PosStore): PosLocation {
  if (row.location_id) return posLocation(row.location_id, row.location_name ?? `Location ${row.location_id}`);
  if (row.area_id) return posLocation(`area-${row.area_id}`, row.area_name ?? `Area ${row.area_id}`);
  return facilityPlace(facility);
}

export const facilityPlace = ({ id, name }: PosStore): PosLocation => posLocation(`facility-${id}`, name);

/** The meaning of a package's status: in stock or gone. */
const packageStateOf = statusFinder({
  stocked: "Created, Assigned to order",
  gone: "Shipped, Consumed, Archived, Cancelled, Canceled",
});

/** Whether a package has left the stock. Its quantity then counts as 0. */
export const isGone = ({ package_status }: Stock) => packageStateOf(package_status) === "gone";

/** Rejects stock without a quantity or with an unknown status, because a quantity of 0 would be a guess. */
export function inventoryRecords(row: Stock, facility: PosStore): RecordsOrRejection<PosInventory> {
  if (row.inventory_id === null) return [];
  if (row.package_status !== null && packageStateOf(row.package_status) === null) {
    return { field: "package_status", reason: "unknown_status" };
  }
  const quantity = isGone(row) ? 0 : row.qty;
  if (quantity === null) return { field: "qty", reason: "no_quantity" };
  return [inventoryRecord(row, row.inventory_id, facility, quantity)];
}

function inventoryRecord(row: Stock, id: string, facility: PosStore, quantity: number): PosInventory {
  const place = placeOf(row, facility);
  return {
    pos_inventory_id: id,
    pos_product_id: row.item_id,
    name: row.item_name ?? `Item ${row.item_id ?? id}`,
    sku: row.sku,
    barcode: row.package_id,
    total_quantity: quantity,
    pos_updated_date: row.last_updated_timestamp,
    location_data: quantityAt(place.pos_location_id, place, quantity),
  };
}

/**
 * The meaning of an order's status. Flourish documents `Created`, `Partially Allocated`, `Allocated`, `Shipped` and
 * `Cancelled` for wholesale orders, and the other statuses for retail orders. `Delivered` is an assumption.
 */
const orderStateOf = statusFinder({
  sale: "Shipped, Completed, Delivered",
  open: "Created, Partially Allocated, Allocated, Submitted, Packed, Out for Delivery",
  canceled: "Cancelled, Canceled",
});

/** Whether an order is canceled. Such an order only voids its stored sale. */
export const isCanceled = ({ order_status }: Order) => orderStateOf(order_status) === "canceled";

export function saleRecords(row: Order): RecordsOrRejection<PosSale> {
  const state = orderStateOf(row.order_status);
  if (state === null) return { field: "order_status", reason: "unknown_status" };
  if (state === "open") return [];
  const date = row.shipped_timestamp ?? row.delivered_timestamp ?? row.order_timestamp;
  if (date === null) return { field: "shipped_timestamp", reason: "no_instant" };
  if (state === "canceled") return [voided(saleOf(row, date, moneyOf(row)))];
  const money = hasReturns(row) ? keptMoney(row) : moneyOf(row);
  return money ? [saleOf(row, date, money)] : { field: "total_returns", reason: "unclear_return" };
}

function saleOf(row: Order, date: string, money: OrderMoney): PosWholesaleSale {
  const paid = paidOf(row, money);
  const pos_customer_id = row.destination?.id ?? null;
  return {
    ...partsOf(row, date, money),
    type: "wholesale",
    employee_id: employeeOf(row),
    payments: paid > 0 ? [{ type: "unknown", amount_paid: paid }] : [],
    customer: companyOfSale(pos_customer_id),
    invoice: {
      id: row.id,
      pos_customer_id,
      memo: null,
      open_balance: money.total === null ? null : Math.max(0, money.total - paid),
      total: money.total,
    },
  };
}

/** The paid amount of an order in cents, without refunds. */
export function paidOf(row: Order, { total }: OrderMoney): number {
  const [stated, refund] = [dollarsToCents(row.total_paid) ?? 0, Math.abs(dollarsToCents(row.total_refund) ?? 0)];
  // If the stated payment exceeds the total, the refund has not been subtracted from the payment.
  return refund > 0 && total !== null && stated > total ? stated - refund : stated;
}

/** The parts of a sale that wholesale and retail orders state in the same way. */
export function partsOf(row: Order, date: string, { subtotal, tax, total, discount, fees }: OrderMoney) {
  const name = nameOfLineDiscounts(row);
  const lines = row.order_lines.map((line) => lineItem(line, name));
  const offLines = flatSum(lines.flatMap(({ line_item_discounts }) => line_item_discounts));
  return {
    ...emptySale,
    pos_sale_id: row.id,
    subtotal,
    total_discounts: offLines + discount,
    tax_paid: tax,
    total_paid: total,
    date,
    line_items: lines,
    discounts: discount > 0 ? orderDiscounts(row, discount) : [],
    taxes: tax ? [{ flat_amount: tax, pct_amount: null, name: null }] : [],
    fees,
  };
}

/** The order's sales representative. Flourish's documented orders without one have the id 0. */
function employeeOf({ sales_rep }: Order): string | null {
  const id = sales_rep?.id ?? null;
  return id === "0" ? null : id;
}

/** An order's discounts by name if they add up to the amount; otherwise one discount without a name. */
function orderDiscounts({ discounts }: Order, amount: number): PosDeduction[] {
  const named = discounts
    .filter(({ level }) => level === null || level.toLowerCase() === "order")
    .map(({ discount_name, promo_code, amount: dollars, method, discount_value }) => ({
      flat_amount: dollarsToCents(dollars),
      pct_amount: /^percent/i.test(method ?? "") ? share(discount_value) : null,
      name: discount_name ?? promo_code,
    }));
  if (named.length > 0 && isSameSum(flatSum(named), amount, named.length)) return named;
  return [{ flat_amount: amount, pct_amount: null, name: null }];
}

/** The name of an order's only discount if the lines repeat it; else null. */
function nameOfLineDiscounts({ discounts, order_lines }: Order): string | null {
  const [discount, ...others] = discounts;
  if (!discount || others.length > 0) return null;
  const offLines = sum(order_lines.map(({ discount_price }) => dollarsToCents(discount_price)));
  const isRepeated = isSameSum(offLines, dollarsToCents(discount.amount) ?? 0, order_lines.length);
  return isRepeated ? (discount.discount_name ?? discount.promo_code) : null;
}

/** A line without its returned units. */
function lineItem(line: Line, discountName: string | null): PosLineItem {
  const share = keptShare(line) ?? 1;
  const off = Math.round((dollarsToCents(line.discount_price) ?? 0) * share);
  const units = line.order_qty === null ? null : fine(line.order_qty * share);
  return {
    ...emptySaleLine,
    pos_product_id: line.item_id,
    product_name: line.item_name,
    num_units: units,
    price_per_unit: dollarsToFineCents(line.unit_price),
    grams: weight(units, netGramsPer(line.item_uom, null)),
    line_item_discounts: off === 0 ? [] : [{ flat_amount: off, pct_amount: null, name: discountName }],
  };
}
