import type { BatchGetItemCommandInput, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { Table } from "../../../../shared/store/client.ts";

/**
 * Makes queries of the table's indexes return nothing, as if the indexes lagged.
 *
 * @param maxQueries the number of these queries; later ones return what the index shows
 */
export function hideFromIndex(table: Table, maxQueries: number): void {
  let remaining = maxQueries;
  table.client.middlewareStack.add(
    (next) => async (request) => {
      const response = await next(request);
      if ("IndexName" in (request.input as object) && remaining-- > 0) {
        (response.output as { Items?: unknown[] }).Items = [];
      }
      return response;
    },
    { step: "initialize", name: "hideFromIndex", override: true },
  );
}

/**
 * Makes eventually consistent reads of the table return nothing, as if each came to a node that lags far behind.
 *
 * @param filter.command the reads that return nothing; reads of any kind unless given
 * @param filter.maxReads the number of these reads, if a command is given; all of them unless given
 */
export function hideFromLaggingReads(
  table: Table,
  filter: { command?: "QueryCommand" | "BatchGetItemCommand"; maxReads?: number } = {},
): void {
  let remaining = filter.maxReads ?? Number.POSITIVE_INFINITY;
  table.client.middlewareStack.add(
    (next, context) => async (request) => {
      const response = await next(request);
      if (filter.command && context.commandName !== filter.command) return response;
      const input = request.input as QueryCommandInput & BatchGetItemCommandInput;
      const reads = [input, ...Object.values(input.RequestItems ?? {})];
      if (input.IndexName || reads.some(({ ConsistentRead }) => ConsistentRead)) return response;
      if (remaining-- <= 0) return response;
      const output = response.output as { Items?: unknown[]; Item?: unknown; Responses?: Record<string, unknown[]> };
      if (output.Items) output.Items = [];
      if (output.Responses && !("TransactItems" in input)) output.Responses = {};
      delete output.Item;
      return response;
    },
    { step: "initialize", name: "hideFromLaggingReads", override: true },
  );
}
