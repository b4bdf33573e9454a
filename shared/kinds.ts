/**
 * The kinds of replicated records, in the order in which a CRB's are asked for: what a record
 * names mostly comes before it. Nothing rests on that order (docs/storage.md, "When replications run").
 */
export const recordKinds = ["location", "product", "customer", "inventory", "sale"] as const;

export type RecordKind = (typeof recordKinds)[number];
