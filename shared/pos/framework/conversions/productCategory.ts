import { kindOf, type ProductKind } from "../../../saleChecks/productKinds.ts";
import type { ProductCategory } from "../../posRecords.ts";
import { termReader } from "./words.ts";

/** What a word says. Of several categories of one kind, the first in `table` counts: `Edibles > Beverages` are beverages. */
type Meaning = ProductCategory | Vague | Denial | "cannabis" | "may be accessory" | "negation" | "nothing";
/** Words with other meanings, as in `Muscle & Joint` and `Hot Sauce`. They count only where every other word is known. */
type Vague = "vague flower" | "vague oil" | "vague extract";

/** What makes it unclear or false that a product is cannabis. */
const denials = ["no cannabis", "not infused", "hemp"] as const;
type Denial = (typeof denials)[number];

const negated = (names: string): string =>
  names
    .split(",")
    .flatMap((name) => [...["non", "not", "no", "zero", "without", "un"].map((no) => `${no} ${name}`), `${name} free`])
    .join(",");

const table: readonly (readonly [Meaning, string])[] = [
  ["marijuana_product", "non edible"],
  ["seedling", "seedling,clone,immature"],
  ["seed", "seed"],
  ["plant", "plant"],
  [
    "accessory",
    "accessory,accessories,merch,merchandise,apparel,clothing,paraphernalia,battery,batteries,charger,gear,lighter,torch,paper,pipe,bong,rig,glass,grinder,tray,tool",
  ],
  ["flower", "pre roll,blunt,flower,bud"],
  ["oil/concentrate", "cartridge,cart,vape,vaporizer,disposable,concentrate,distillate,rso"],
  ["extract", "extract,shatter,rosin,resin,kief,badder,budder"],
  ["topical", "topical,lotion,balm,salve,patch,patches,bath"],
  ["edible_liquid", "beverage,drink,soda,tea,coffee"],
  ["liquid", "tincture,sublingual,spray"],
  ["solid", "suppository,suppositories"],
  ["edible", "edible,gummy,gummies,chocolate,cookie,candy,candies,baked,pill,capsule,tablet"],
  ["other", "misc,miscellaneous,other,non inv,service,fee,sample"],
  ["vague flower", "joint,shake"],
  ["vague oil", "oil"],
  ["vague extract", "wax,hash,crumble,sauce,diamond"],
  ["may be accessory", "device,cone,wrap,kit"],
  ["cannabis", "cannabis,marijuana,mj,mmj,medicated,infused"],
  ["no cannabis", negated("cannabis,marijuana,mj,mmj,medicated,thc,cannabis infused,marijuana infused,thc infused")],
  ["not infused", negated("infused")],
  ["hemp", "hemp,cbd,cbg,cbn,delta,hhc,thcp,thco,nicotine,tobacco,kratom,kava"],
  // Other words of a text with a bare negation do not count: `Non-Flower`, `Not for cannabis`.
  ["negation", "non,not,no,without"],
  [
    "nothing",
    "and,or,product,live,cured,bubble,thc,thca,raw,trim,small,popcorn,bulk,indoor,outdoor,greenhouse,g,gram,eighth,quarter,half,ounce,packaged,each,weight,volume",
  ],
];
const readTerms = termReader(table);

/** Terms with digits and signs, which are no words: `0% THC`, `THC: 0 mg`, `D8`, `∆9`, `< 0.3 % THC`. */
const spelledOut: readonly (readonly [RegExp, string])[] = [
  [/(?:<|≤|\b(?:less than|under|below|up to|max)\b)\s*0?\.3\s*%/gi, " hemp "],
  [/(?<![\d.,])0+(?:[.,]0+)?\s*(?:%|mg)?\s*(?:of\s*)?(?=thc)/gi, " zero "],
  // "THC 0-15 %" is a range.
  [/\bthc\b[\s:=-]*0+(?:[.,]0+)?(?:\s*(?:%|mg)|(?![\d.,]))(?!\s*(?:[-–:/]|to\b)\s*\d)/gi, " zero thc "],
  [/(?<![\p{L}\d])(?:d|[∆Δδ])[\s-]?(?:8|9|10)(?!\d)/giu, " delta "],
];
const spellOut = (text: string) => spelledOut.reduce((before, [form, word]) => before.replace(form, word), text);
const order = table.map(([meaning]) => meaning);

const meant: Readonly<Record<Vague, ProductCategory>> = {
  "vague flower": "flower",
  "vague oil": "oil/concentrate",
  "vague extract": "extract",
};
const isVague = (meaning: Meaning | null): meaning is Vague => meaning !== null && Object.hasOwn(meant, meaning);
const isDenial = (meaning: Meaning | null) => denials.some((denial) => denial === meaning);

type Kind = ProductKind | "accessory" | "may be accessory" | "marijuana_product";

function kindIn(meaning: Meaning): Kind | null {
  if (meaning === "accessory" || meaning === "may be accessory" || meaning === "marijuana_product") return meaning;
  return kindOf(meaning);
}

/** The kinds that later texts may name without a contradiction: what a product is made of, or what an accessory is for. */
const namedBy: Readonly<Partial<Record<Kind, readonly Kind[]>>> = {
  edible: ["flower", "concentrate", "plant"],
  topical: ["flower", "concentrate", "plant"],
  accessory: ["flower", "concentrate", "plant", "may be accessory"],
};

interface Reading {
  meanings: ReadonlySet<Meaning>;
  /** the kinds that the product may have: one if it is certain */
  kinds: ReadonlySet<Kind>;
}

/** Reads the texts of a product, the main one first. A text may be a path, such as `Cannabis > Flower`. */
function read(texts: readonly (string | null)[]): Reading {
  const terms = texts.flatMap((text) => spellOut(text ?? "").split(">")).map(readTerms);
  const isKnown = terms.flat().every((meaning) => meaning !== null && meaning !== "negation");
  const parts = terms.map((part) => {
    const counted = part.includes("negation") ? part.filter(isDenial) : part;
    return counted
      .filter((meaning) => meaning !== null && (isKnown || !isVague(meaning)))
      .map((meaning) => (isVague(meaning) ? meant[meaning] : (meaning as Meaning)));
  });
  const kindsOf = (part: readonly Meaning[]) => new Set(part.map(kindIn).filter((kind) => kind !== null));
  const main = parts.map(kindsOf).find((kinds) => kinds.size > 0) ?? new Set();
  const [decisive] = main.size === 1 ? main : [];
  const named = (decisive && namedBy[decisive]) ?? [];
  return { meanings: new Set(parts.flat()), kinds: kindsOf(parts.flat()).difference(new Set(named)) };
}

/**
 * Maps a POS's category, subcategory and type, in this order, to a category of the specification. The first text that names
 * a kind of products is the main one. If texts name different kinds, the category is `marijuana_product`
 * (docs/pos/README.md#categories-of-products).
 *
 * @returns null without a match, if the product may be an accessory, and if texts of several kinds, or of none, deny cannabis or
 *   name hemp
 */
export function productCategory(...texts: (string | null)[]): ProductCategory | null {
  return categoryOf(read(texts));
}

function categoryOf({ meanings, kinds }: Reading): ProductCategory | null {
  const [kind, ...others] = kinds;
  const isDenied = denials.some((denial) => meanings.has(denial));
  if (kind === undefined && meanings.has("other")) return "other";
  if (kind === undefined) return meanings.has("cannabis") && !isDenied ? "marijuana_product" : null;
  if (kinds.has("may be accessory")) return null;
  if (others.length > 0) return kinds.has("accessory") || isDenied ? null : "marijuana_product";
  return (order.find((meaning) => meanings.has(meaning) && kindIn(meaning) === kind) ?? null) as ProductCategory | null;
}

/**
 * Whether a product certainly contains cannabis, by the same texts as its category; null if they leave this open, as those
 * of hemp and CBD do.
 *
 * @param hasThc whether an analysis found THC
 */
export function cannabisOf(texts: readonly (string | null)[], hasThc = false): boolean | null {
  const reading = read(texts);
  const { meanings, kinds } = reading;
  // Flower and concentrates that are not infused are cannabis. Edibles and topicals are not.
  const isInfused =
    !meanings.has("not infused") || (["flower", "concentrate", "plant"] as const).some((kind) => kinds.has(kind));
  if (meanings.has("no cannabis") || !isInfused) return meanings.has("cannabis") || hasThc ? null : false;
  if (meanings.has("hemp")) return null;
  const category = categoryOf(reading);
  if (category === "accessory") return false;
  return hasThc || (category !== null && category !== "other") || null;
}
