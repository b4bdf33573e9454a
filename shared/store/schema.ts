/** Hash and range key of the table, and its time to live (epoch seconds), for the local engine and CloudFormation. */
export const tableKeys = { hash: "pk", range: "sk", timeToLive: "expires" } as const;

/**
 * The range key of each index. All have the table's hash key, so a list and its orders share one partition key. An item
 * without the attribute is not in the index.
 */
export const tableIndexes = { byRank: "rank", bySaleRank: "saleRank", byCustomerRank: "customerRank" } as const;

export type IndexName = keyof typeof tableIndexes;
