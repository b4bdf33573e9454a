/**
 * The kinds of replicated records, in the order in which the replications of a CRB are requested. Most kinds come after
 * the kinds that their records refer to. No code depends on the order (docs/storage.md, "When replications run").
 */
export const recordKinds = ["location", "product", "customer", "inventory", "sale"] as const;

export type RecordKind = (typeof recordKinds)[number];

/** Kinds by their names in the API. These are also the names of the kinds' lists (docs/spec.md#change-feed). */
export const kindsByName = {
  customers: "customer",
  products: "product",
  inventory: "inventory",
  "inventory-locations": "location",
  sales: "sale",
} as const satisfies Record<string, RecordKind>;

export type KindName = keyof typeof kindsByName;

export function nameOfKind(kind: RecordKind): KindName {
  return (Object.keys(kindsByName) as KindName[]).find((name) => kindsByName[name] === kind) as KindName;
}
