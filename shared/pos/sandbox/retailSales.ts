import { namedPayment } from "../framework/conversions/paymentType.ts";
import type { PosCustomer, PosDeduction, PosFee, PosLineItem, PosRetailSale, PosSaleCustomer } from "../posRecords.ts";
import type { Dice } from "./dice.ts";
import { netOf, taxOf, taxRatesOf, totalsOf } from "./saleLines.ts";
import type { World } from "./world.ts";

/** The fields that retail and wholesale sales share. */
export type SaleDraft = Pick<PosRetailSale, "pos_sale_id" | "date" | "transaction_type" | "employee_id" | "line_items">;

/** Version 1 of a sale has another payment type, as if an employee corrected it when the register was closed. */
export function retailSale(
  world: World,
  noted: SaleDraft,
  buyer: PosCustomer | null,
  version: number,
  chance: Dice,
): PosRetailSale {
  const isSale = noted.transaction_type === "sale";
  const discounts = isSale ? saleDiscounts(noted.line_items, buyer, chance) : [];
  const taxes = cityTaxes(world, noted.line_items);
  const fees = isSale && chance.percent(7) ? [deliveryFee] : [];
  const { line_items, ...rest } = noted;
  const totals = totalsOf({ line_items, discounts, taxes, fees });
  return {
    ...rest,
    ...totals,
    type: "retail",
    line_items,
    discounts,
    taxes,
    payments: payments(totals.total_paid, version, chance),
    customer: buyer ? shown(buyer) : nobody,
    fees,
  };
}

const deliveryFee: PosFee = {
  fee_name: "Delivery Fee",
  percent_amount: null,
  flat_amount: 599,
  included_in_subtotal: false,
};

function saleDiscounts(lines: readonly PosLineItem[], buyer: PosCustomer | null, chance: Dice): PosDeduction[] {
  const net = lines.reduce((total, line) => total + netOf(line), 0);
  const redeems = chance.percent(12);
  const veteran = chance.percent(4);
  if (buyer?.loyalty_member && redeems && net > 2000) {
    return [{ flat_amount: 500, pct_amount: null, name: "Loyalty Points" }];
  }
  return veteran ? [{ flat_amount: Math.round(net / 10), pct_amount: 0.1, name: "Veteran Discount" }] : [];
}

/** The city's tax applies to the whole sale, but only to cannabis. */
function cityTaxes(world: World, lines: readonly PosLineItem[]): PosDeduction[] {
  const taxed = lines.filter(({ cannabis_product }) => cannabis_product);
  const net = taxed.reduce((total, line) => total + netOf(line), 0);
  return taxed.length > 0 ? [taxOf("City Cannabis Tax", net, taxRatesOf(world).city)] : [];
}

const means = ["cash", "debit", "cash", "ach", "cash", "debit", "other", "debit"] as const;

function payments(total: number, version: number, chance: Dice): PosRetailSale["payments"] {
  const first = chance.between(0, means.length - 1);
  const type = means[(first + version) % means.length] ?? "cash";
  const inCash = Math.floor(total / 4000) * 2000;
  if (total === 0) return [];
  if (chance.percent(8) && inCash > 0) {
    return [namedPayment(inCash, "cash"), namedPayment(total - inCash, type === "cash" ? "credit" : type)];
  }
  return [namedPayment(total, type)];
}

/** The identity document that the customer showed. */
function shown(buyer: PosCustomer): PosSaleCustomer {
  const { medical_id, drivers_license_id, caregiver } = buyer;
  const paper = medical_id
    ? ({ id_type: caregiver ? "caregiver" : "medical", id_expiration_date: buyer.medical_id_expiration_date } as const)
    : drivers_license_id
      ? ({ id_type: "drivers", id_expiration_date: buyer.drivers_license_expiration_date } as const)
      : ({
          id_type: buyer.other_id ? "passport" : null,
          id_expiration_date: buyer.other_id_expiration_date,
        } as const);
  return { pos_customer_id: buyer.pos_customer_id, type: buyer.svc_customer_type, dob: buyer.dob, ...paper };
}

const nobody: PosSaleCustomer = {
  pos_customer_id: null,
  type: null,
  dob: null,
  id_type: null,
  id_expiration_date: null,
};
