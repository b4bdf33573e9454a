const names = new Map([
  ["minimum_age", "Minimum age"],
  ["sale_hours", "Hours of sale"],
  ["sale_without_tax", "Tax on adult use"],
  ["nonresident_flower", "Flower for nonresidents"],
]);

/** Kinds of products in the ids of limits. */
const kinds = new Map([
  ["total", "All cannabis"],
  ["equivalent", "All cannabis"],
  ["thc", "THC"],
  ["concentrate_18_20", "Concentrate at 18 to 20 years"],
  ["concentrate_21", "Concentrate from 21 years on"],
]);

const periods: Readonly<Record<string, string>> = { sale: "one sale", daily: "one day", rolling: "several days" };

/**
 * The name of a sale rule in words, by its id: `Flower in one day` for `CO.adult.daily_flower`. A rule without a name of its own
 * has the words of its id.
 */
export function ruleName(id: string): string {
  const [, about = "", check = id] = id.split(".");
  if (check === "implausible_weight") return `Weight of ${about === "edible" ? "an edible" : "a cartridge"}`;
  const [, period = "", kind = ""] = /^(sale|daily|rolling)_(.+)$/.exec(check) ?? [];
  const words = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replaceAll("_", " ")}`;
  const name = names.get(check) ?? (kind ? `${kinds.get(kind) ?? words(kind)} in ${periods[period]}` : words(check));
  return about === "medical" && !name.startsWith("Medical") ? `${name}, medical` : name;
}
