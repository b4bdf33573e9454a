import { namedPayment } from "../framework/conversions/paymentType.ts";
import {
  emptySaleCustomer,
  type PosCustomer,
  type PosDeduction,
  type PosLineItem,
  type PosRetailSale,
  type PosSaleCustomer,
  posFee,
} from "../posRecords.ts";
import { documentEnds } from "./customers.ts";
import type { Dice } from "./dice.ts";
import { netOf, taxOf, taxRatesOf, totalsOf } from "./saleLines.ts";
import type { World } from "./world.ts";

/** The fields that retail and wholesale sales share. */
export type SaleDraft = Pick<PosRetailSale, "pos_sale_id" | "date" | "transaction_type" | "employee_id" | "line_items">;

/** Version 1 of a sale has another payment type, as if an employee corrected it when the register was closed. */
export function retailSale(
  world: World,
  noted: SaleDraft,
  { customer, isLoyal, isTaxed }: { customer: PosSaleCustomer; isLoyal: boolean; isTaxed: boolean },
  version: number,
  chance: Dice,
): PosRetailSale {
  const isSale = noted.transaction_type === "sale";
  const discounts = isSale ? saleDiscounts(noted.line_items, isLoyal, chance) : [];
  const taxes = isTaxed ? cityTaxes(world, noted.line_items) : [];
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
    customer,
    fees,
  };
}

const deliveryFee = posFee("Delivery Fee", 599);

function saleDiscounts(lines: readonly PosLineItem[], isLoyal: boolean, chance: Dice): PosDeduction[] {
  const net = lines.reduce((total, line) => total + netOf(line), 0);
  const redeems = chance.percent(12);
  const veteran = chance.percent(4);
  if (isLoyal && redeems && net > 2000) {
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

/** The customer with the identity document that the customer showed, which was valid. */
export function shownBy(buyer: PosCustomer | null, date: Date): PosSaleCustomer {
  if (!buyer) return emptySaleCustomer;
  const { pos_customer_id, svc_customer_type: type, dob, medical_id, drivers_license_id, other_id, caregiver } = buyer;
  const ends = documentEnds(buyer, date);
  const paper = medical_id
    ? ({ id_type: caregiver ? "caregiver" : "medical", id_expiration_date: ends.medical_id_expiration_date } as const)
    : drivers_license_id
      ? ({ id_type: "drivers", id_expiration_date: ends.drivers_license_expiration_date } as const)
      : ({ id_type: other_id ? "passport" : null, id_expiration_date: ends.other_id_expiration_date } as const);
  return { pos_customer_id, type, dob, ...paper };
}
