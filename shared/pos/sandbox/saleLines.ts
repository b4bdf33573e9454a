import { flatSum } from "../framework/conversions/sums.ts";
import { type PosDeduction, type PosFee, type PosLineItem, posFee } from "../posRecords.ts";
import { type Dice, dice } from "./dice.ts";
import { type Product, pickProduct, priceAtTick, tierPrice } from "./products.ts";
import { perWorld, type World } from "./world.ts";

/** Tax rates at the business's address. The same rule for all businesses decides which items are exempt. */
export const taxRatesOf = perWorld((world) => {
  const chance = dice(world.crbId, "taxes");
  const rate = (from: number, to: number) => chance.between(from, to) / 10_000;
  return { sales: rate(400, 890), excise: rate(900, 1500), city: rate(100, 350) };
});

/** The items of one purchase or order, with the prices at a tick. */
export function linesOf(world: World, tick: number, medical: boolean, chance: Dice): PosLineItem[] {
  const count = chance.pick([1, 1, 2, 2, 2, 3, 3, 4, 5]);
  return Array.from({ length: count }, () => {
    const product = pickProduct(world, chance);
    const { line } = product;
    const tier = line.tiers && chance.pick(line.tiers);
    const price = priceAtTick(world, product, tick);
    const units =
      tier?.units ?? (world.businessType === "retail" ? chance.pick([1, 1, 1, 2, 3]) : chance.between(1, 12));
    const unitPrice = tier ? tierPrice(price, tier) : price;
    const discounts = lineDiscounts(world, units * unitPrice, chance);
    const fees = line.posCategory === "Vape" && chance.percent(30) ? [recyclingFee] : [];
    return { ...saleLine(world, product, { units, unitPrice, discounts, medical }), line_item_fees: fees };
  });
}

/** A unit of a product without discounts and fees, with the price at a tick. */
export function plainLine(world: World, product: Product, tick: number, medical: boolean): PosLineItem {
  return saleLine(world, product, { units: 1, unitPrice: priceAtTick(world, product, tick), discounts: [], medical });
}

function saleLine(
  world: World,
  { id, name, line }: Product,
  {
    units,
    unitPrice,
    discounts,
    medical,
  }: { units: number; unitPrice: number; discounts: PosDeduction[]; medical: boolean },
): PosLineItem {
  const net = units * unitPrice - flatSum(discounts);
  return {
    pos_product_id: id,
    product_name: name,
    num_units: units,
    price_per_unit: unitPrice,
    grams: line.grams === null ? null : Math.round(line.grams * units * 1000) / 1000,
    thc_mg_per_unit: line.thc,
    product_type: line.category,
    cannabis_product: line.cannabis,
    line_item_discounts: discounts,
    line_item_taxes: lineTaxes(world, net, line.cannabis && !medical),
    line_item_fees: [],
  };
}

const recyclingFee = posFee("Battery Recycling Fee", 25, true);

const reasons = {
  retail: ["Happy Hour", "Senior Discount", "Industry Discount", "Daily Deal"],
  wholesale: ["Volume Discount", "Promotion"],
} as const;

function lineDiscounts({ businessType }: World, gross: number, chance: Dice): PosDeduction[] {
  if (!chance.percent(18)) return [];
  const percent = chance.pick([5, 10, 10, 15, 20]);
  return [
    {
      flat_amount: Math.round((gross * percent) / 100),
      pct_amount: percent / 100,
      name: chance.pick<string>(reasons[businessType]),
    },
  ];
}

function lineTaxes(world: World, net: number, excised: boolean): PosDeduction[] {
  const { sales, excise } = taxRatesOf(world);
  if (world.businessType === "wholesale") return excised ? [taxOf("Wholesale Excise Tax", net, excise)] : [];
  const taxes = [taxOf("State Sales Tax", net, sales)];
  return excised ? [...taxes, taxOf("Cannabis Excise Tax", net, excise)] : taxes;
}

export function taxOf(name: string, net: number, rate: number): PosDeduction {
  return { flat_amount: Math.round(net * rate), pct_amount: rate, name };
}

/** The price of a line before taxes and fees. */
export function netOf(line: PosLineItem): number {
  return (line.num_units ?? 0) * (line.price_per_unit ?? 0) - flatSum(line.line_item_discounts);
}

/** The four totals of a sale; see `PosSale`. */
export function totalsOf(sale: {
  line_items: readonly PosLineItem[];
  discounts: readonly PosDeduction[];
  taxes: readonly PosDeduction[];
  fees: readonly PosFee[];
}) {
  const lines = sale.line_items;
  const fees = [...sale.fees, ...lines.flatMap((line) => line.line_item_fees)];
  const included = flatSum(fees.filter((fee) => fee.included_in_subtotal));
  const subtotal = lines.reduce((total, line) => total + netOf(line), 0) - flatSum(sale.discounts) + included;
  const tax_paid = flatSum([...sale.taxes, ...lines.flatMap((line) => line.line_item_taxes)]);
  return {
    subtotal,
    total_discounts: flatSum([...sale.discounts, ...lines.flatMap((line) => line.line_item_discounts)]),
    tax_paid,
    total_paid: subtotal + tax_paid + flatSum(fees) - included,
  };
}
