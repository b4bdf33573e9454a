import type { BatchGetItemCommandInput, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { Table } from "../../../../shared/store/client.ts";

type Reading = Partial<QueryCommandInput & BatchGetItemCommandInput>;

/**
 * Makes queries of the table's indexes return nothing, as if the indexes lagged. Returns the table.
 *
 * @param maxQueries the number of these queries; later ones return what the index shows
 */
export function hideFromIndex(table: Table, maxQueries: number): Table {
  return hideReads(table, ({ IndexName }) => IndexName !== undefined, maxQueries);
}

/**
 * Makes eventually consistent reads of the table return nothing, as if their node lagged. Returns the table.
 *
 * @param filter.command the reads that return nothing; reads of any kind unless given
 * @param filter.maxReads the number of these reads; all of them unless given
 */
export function hideFromLaggingReads(
  table: Table,
  filter: { command?: "QueryCommand" | "BatchGetItemCommand"; maxReads?: number } = {},
): Table {
  const isLagging = (input: Reading, command: string | undefined) => {
    const reads = [input, ...Object.values(input.RequestItems ?? {})];
    const isConsistent = "TransactItems" in input || reads.some(({ ConsistentRead }) => ConsistentRead);
    return !input.IndexName && !isConsistent && (!filter.command || command === filter.command);
  };
  return hideReads(table, isLagging, filter.maxReads ?? Number.POSITIVE_INFINITY);
}

function hideReads(table: Table, isHidden: (input: Reading, command: string | undefined) => boolean, maxReads: number) {
  let remaining = maxReads;
  table.client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const response = await next(request);
        if (!isHidden(request.input as Reading, commandName) || remaining-- <= 0) return response;
        const output = response.output as { Items?: unknown[]; Item?: unknown; Responses?: Record<string, unknown[]> };
        if (output.Items) output.Items = [];
        if (output.Responses) output.Responses = {};
        delete output.Item;
        return response;
      },
    { step: "initialize", name: "hideReads", override: true },
  );
  return table;
}
