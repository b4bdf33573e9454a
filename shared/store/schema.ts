/** The table's keys and indexes, for both the local engine and CloudFormation. */

/** Hash and range key of the table, and its time to live (epoch seconds). */
export const tableKeys = { hash: "pk", range: "sk", timeToLive: "expires" } as const;

/**
 * Indexes of the table: name to range key. Their hash key is the table's. A list and its orders therefore share one
 * partition key, and no attribute is stored twice. An item without the range key's attribute is in no index.
 */
export const tableIndexes = { byRank: "rank", bySaleRank: "saleRank", byCustomerRank: "customerRank" } as const;

export type IndexName = keyof typeof tableIndexes;
