import type { PosStore } from "../connector.ts";
import { cents, finelyInCents, price, sum, unlessNegative } from "../conversions/cents.ts";
import { grams, gramsPer, weight } from "../conversions/grams.ts";
import { productCategory } from "../conversions/productCategory.ts";
import { voided } from "../conversions/reversals.ts";
import type {
  PosCustomer,
  PosFee,
  PosInventory,
  PosLineItem,
  PosLocation,
  PosProduct,
  PosSale,
  PosWholesaleSale,
} from "../posRecords.ts";
import { companyRecord } from "../reading/companyRecord.ts";
import type { Made } from "../reading/recordsOf.ts";
import type { Destination, Item, Line, Order, Stock } from "./answers.ts";

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

export function productRecord(row: Item): PosProduct {
  const category = row.item_category ?? row.item_class;
  return {
    pos_product_id: row.id,
    name: row.item_name ?? `Item ${row.id}`,
    svc_product_category_name: productCategory(row.item_category, row.item_class),
    pos_product_category_name: category,
    pos_product_subcategory_name: category === row.item_class ? null : row.item_class,
    pos_strain_name: row.strain_name,
    pos_brand_name: row.brand ?? null,
    medicated: row.inventory_type === null ? null : row.inventory_type === "Cannabis",
    sku: row.sku,
    description: row.item_description,
    svc_net_weight_grams: grams(row.unit_weight, row.weight_uom),
    pos_unit_of_measure: row.uom,
    price: price(cents(row.price)),
    unit_cost: unlessNegative(finelyInCents(row.cost)),
    pos_updated_date: row.last_updated_timestamp,
    price_tiers: null,
    images: null,
  };
}

/** The place of stock: its location, else its area, else the facility itself. */
export function placeOf(row: Stock, facility: PosStore): PosLocation {
  const id = row.location_id ?? row.area_id ?? facility.id;
  const told = row.location_id ? row.location_name : row.area_id ? row.area_name : facility.name;
  return { pos_location_id: id, name: told ?? `Location ${id}`, pos_location_type: null, pos_updated_date: null };
}

export function inventoryRecord(row: Stock, facility: PosStore): PosInventory {
  const { pos_location_id, name, pos_location_type } = placeOf(row, facility);
  const quantity = row.qty ?? 0;
  return {
    pos_inventory_id: row.inventory_id,
    pos_product_id: row.item_id,
    name: row.item_name ?? `Item ${row.item_id ?? row.inventory_id}`,
    sku: row.sku,
    barcode: row.package_id,
    total_quantity: quantity,
    pos_updated_date: row.last_updated_timestamp,
    location_data: quantity > 0 ? [{ pos_location_id, name, pos_location_type, quantity }] : [],
  };
}

/** A cancelled order undoes a sale that was stored before, and is none otherwise. */
export const isCancelled = ({ order_status }: Order) => order_status?.toLowerCase() === "cancelled";

export function saleRecords(row: Order): Made<PosSale> {
  if (row.order_status?.toLowerCase() !== "shipped" && !isCancelled(row)) return [];
  const date = row.shipped_timestamp ?? row.delivered_timestamp ?? row.order_timestamp;
  if (date === null) return { field: "shipped_timestamp", reason: "no_instant" };
  const sale = saleAsOrdered(row, date);
  return [isCancelled(row) ? voided(sale) : sale];
}

function saleAsOrdered(row: Order, date: string): PosWholesaleSale {
  const [total, tax, paid] = [cents(row.total_price), cents(row.taxes), cents(row.total_paid) ?? 0];
  const fees = [feeOf("Delivery", row.delivery_fee), feeOf("Charges", row.total_charges)].flat();
  const lines = row.order_lines.map(lineItem);
  const offLines = sum(lines.flatMap(({ line_item_discounts }) => line_item_discounts.map(amountOf)));
  const off = cents(row.total_discounts) ?? offLines;
  const pos_customer_id = row.destination?.id ?? null;
  return {
    type: "wholesale",
    pos_sale_id: row.id,
    completed_by_replicated: true,
    subtotal: total === null ? cents(row.sub_total_price) : total - (tax ?? 0) - sum(fees.map(amountOf)),
    total_discounts: off,
    tax_paid: tax,
    total_paid: total,
    date,
    transaction_type: "sale",
    employee_id: null,
    line_items: lines,
    // The order names those of its lines again.
    discounts: off > offLines ? [{ flat_amount: off - offLines, pct_amount: null, name: null }] : [],
    taxes: tax ? [{ flat_amount: tax, pct_amount: null, name: null }] : [],
    payments: paid > 0 ? [{ type: "unknown", amount_paid: paid }] : [],
    fees,
    customer:
      pos_customer_id === null
        ? null
        : { pos_customer_id, type: null, dob: null, id_type: null, id_expiration_date: null },
    invoice: {
      id: row.id,
      pos_customer_id,
      memo: null,
      open_balance: total === null ? null : Math.max(0, total - paid),
      total,
    },
  };
}

function lineItem(line: Line): PosLineItem {
  const off = cents(line.discount_price) ?? 0;
  return {
    pos_product_id: line.item_id,
    product_name: line.item_name,
    num_units: line.order_qty,
    price_per_unit: finelyInCents(line.unit_price),
    grams: weight(line.order_qty, gramsPer(line.item_uom)),
    product_type: null,
    cannabis_product: null,
    line_item_discounts: off === 0 ? [] : [{ flat_amount: off, pct_amount: null, name: null }],
    line_item_taxes: [],
    line_item_fees: [],
  };
}

function feeOf(fee_name: string, amount: string | null): PosFee[] {
  const flat_amount = cents(amount) ?? 0;
  return flat_amount === 0 ? [] : [{ fee_name, percent_amount: null, flat_amount, included_in_subtotal: false }];
}

const amountOf = ({ flat_amount }: { flat_amount: number | null }) => flat_amount;
