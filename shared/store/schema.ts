/** The table's keys and indexes, for both the local engine and CloudFormation. */

/** Hash and range key of the table, and its time to live (epoch seconds). */
export const tableKeys = { hash: "pk", range: "sk", timeToLive: "expires" } as const;

/**
 * The range key of each index of the table. All indexes have the table's hash key, so a list and its orders share one
 * partition key, and no attribute is stored twice. An item without the attribute of an index's range key is not in this
 * index.
 */
export const tableIndexes = { byRank: "rank", bySaleRank: "saleRank", byCustomerRank: "customerRank" } as const;

export type IndexName = keyof typeof tableIndexes;
