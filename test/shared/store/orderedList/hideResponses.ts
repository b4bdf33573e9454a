import type { BatchGetItemCommandInput, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { Table } from "../../../../shared/store/client.ts";

/** Makes the table's next queries of an index return nothing, as if the index lagged. */
export function hideFromIndex(table: Table, queries: number): void {
  let remaining = queries;
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
 * @param only.command the reads that return nothing; reads of any kind unless given
 * @param only.times the number of these reads; all of them unless given
 */
export function hideFromLaggingReads(
  table: Table,
  only: { command?: "QueryCommand" | "BatchGetItemCommand"; times?: number } = {},
): void {
  let remaining = only.times ?? Number.POSITIVE_INFINITY;
  table.client.middlewareStack.add(
    (next, context) => async (request) => {
      const response = await next(request);
      if (only.command && context.commandName !== only.command) return response;
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
