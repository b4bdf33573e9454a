/**
 * The kinds of replicated records, in the order in which a CRB's are asked for: what a record
 * names mostly comes before it. Nothing rests on that order (docs/storage.md, "When replications run").
 */
export const recordKinds = ["location", "product", "customer", "inventory", "sale"] as const;

export type RecordKind = (typeof recordKinds)[number];

/** The kinds by the names that callers have for them: those of their lists (docs/spec.md#change-feed). */
export const kindsByName = {
  customers: "customer",
  products: "product",
  inventory: "inventory",
  "inventory-locations": "location",
  sales: "sale",
} as const satisfies Record<string, RecordKind>;

export type KindName = keyof typeof kindsByName;

/** The name that callers have for a kind. */
export function nameOfKind(kind: RecordKind): KindName {
  return (Object.keys(kindsByName) as KindName[]).find((name) => kindsByName[name] === kind) as KindName;
}
