import { states } from "../../../api/enumerations.ts";
import { isSameSum, sum } from "../../../money/sums.ts";
import { dollarsToCents, dollarsToFineCents } from "../../framework/conversions/cents.ts";
import { gramsPer, weight } from "../../framework/conversions/grams.ts";
import { flatSum } from "../../framework/conversions/sums.ts";
import { words } from "../../framework/conversions/words.ts";
import { observeGuess } from "../../framework/observer.ts";
import { emptySaleLine, type PosDeduction, type PosLineItem, type PosWholesaleSale } from "../../posRecords.ts";
import type { Entry, Invoice, Line } from "./responses.ts";

/** What the lines of an invoice show: its products, discounts and taxes. */
export type InvoiceContents = Pick<
  PosWholesaleSale,
  "subtotal" | "total_discounts" | "tax_paid" | "line_items" | "discounts" | "taxes"
>;

/** The contents of a document without lines: nothing is separate from its total. */
export const noContents: InvoiceContents = {
  subtotal: null,
  total_discounts: null,
  tax_paid: null,
  line_items: [],
  discounts: [],
  taxes: [],
};

/**
 * Intacct states the amount of each line, but not its number of units. They are in the lines of Order Entry, if the company
 * uses it. Taxes and discounts are lines too; subtotal and tax are known only if there is a tax line, and all lines add
 * up to the total.
 */
export function contentsOf({ lines, entries, TOTALENTERED }: Invoice): InvoiceContents {
  const taxLines = lines.filter(isTax);
  const areClear = lines.every((line) => isTax(line) !== undefined);
  const discountLines = lines.filter((line) => !isTax(line) && amountOf(line) < 0);
  const products = lines.filter((line) => !isTax(line) && amountOf(line) >= 0);
  const total = dollarsToCents(TOTALENTERED);
  const isSeparate =
    areClear && taxLines.length > 0 && total !== null && isSameSum(sum(lines.map(amountOf)), total, lines.length);
  const discounts = discountLines.map((line) => deductionOf(line, -amountOf(line)));
  const off = flatSum(discounts);
  return {
    subtotal: isSeparate ? sum(products.map(amountOf)) - off : null,
    total_discounts: isSeparate ? off : null,
    tax_paid: isSeparate ? sum(taxLines.map(amountOf)) : null,
    line_items: entriesOf(products, entries)?.map(lineOfEntry) ?? products.map(lineItem),
    discounts,
    taxes: taxLines.map((line) => deductionOf(line, amountOf(line))),
  };
}

const amountOf = ({ AMOUNT }: Line) => dollarsToCents(AMOUNT) ?? 0;

const deductionOf = ({ ITEMID, ITEMNAME }: Line, flat_amount: number): PosDeduction => ({
  flat_amount,
  pct_amount: null,
  name: ITEMNAME ?? ITEMID,
});

const taxKinds = "state sales local city county district municipal special excise cultivation use wholesale retail";
const taxedGoods = "cannabis marijuana mj adult medical recreational gross receipts";
/** Words that say which tax a line is. */
const taxWords: ReadonlySet<string> = new Set(
  [`tax taxes rate payable collected on of and the item line ${taxKinds} ${taxedGoods}`, ...states].flatMap(words),
);

/**
 * Whether a line is a tax: its item is named so, and every other word of the name says which tax. Undefined if the name speaks of a
 * tax in another way, such as `Flower (tax included)`. A product may be named as free of tax.
 */
function isTax({ ITEMID, ITEMNAME }: Line): boolean | undefined {
  const names = [ITEMID, ITEMNAME].filter(
    (name) => /(?<![a-z])tax(es)?(?![a-z])/i.test(name ?? "") && !/tax[\s_-]*(free|exempt)/i.test(name ?? ""),
  );
  return names.length > 0 && (names.every((name) => words(name).every((word) => taxWords.has(word))) || undefined);
}

/** The lines of Order Entry; null unless they add up to the products: another document may have the number. */
function entriesOf(products: readonly Line[], entries: readonly Entry[]): readonly Entry[] | null {
  if (entries.length === 0) return null;
  const sold = entries.filter(({ TOTAL }) => (dollarsToCents(TOTAL) ?? 0) >= 0);
  const isSame = isSameSum(
    sum(sold.map(({ TOTAL }) => dollarsToCents(TOTAL))),
    sum(products.map(amountOf)),
    sold.length + products.length,
  );
  observeGuess("lines of Order Entry", isSame ? "those of the invoice" : "left out");
  return isSame ? sold : null;
}

function lineItem({ ITEMID, ITEMNAME }: Line): PosLineItem {
  return { ...emptySaleLine, pos_product_id: ITEMID, product_name: ITEMNAME };
}

/** The price is unknown if it does not fit the line's total, such as before a discount of the line. */
function lineOfEntry({ ITEMID, ITEMNAME, QUANTITY, UNIT, PRICE, TOTAL }: Entry): PosLineItem {
  const price = dollarsToFineCents(PRICE);
  const isPrice = isSameSum((QUANTITY ?? Number.NaN) * (price ?? Number.NaN), dollarsToCents(TOTAL) ?? Number.NaN);
  return {
    ...emptySaleLine,
    pos_product_id: ITEMID,
    product_name: ITEMNAME,
    num_units: QUANTITY,
    price_per_unit: isPrice ? price : null,
    grams: weight(QUANTITY, gramsPer(UNIT)),
  };
}
