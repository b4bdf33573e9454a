import type { BatchGetItemCommandInput, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { Table } from "../../../../shared/store/client.ts";

/** Parts that a test removes from responses, each with a count. */
interface Hidden {
  /** All results of queries of an index, as if it lagged. */
  index?: number;
  /** All results of BatchGetItem, as if the read were outdated. */
  batches?: number;
}

/** Hides recent writes from a table's next responses, as DynamoDB may. */
export function hideResponses(table: Table, hidden: Hidden): void {
  const remaining = { index: 0, batches: 0, ...hidden };
  table.client.middlewareStack.add(
    (next, context) => async (request) => {
      const response = await next(request);
      const output = response.output as { Items?: unknown[]; Responses?: Record<string, unknown[]> };
      const isOfIndex = "IndexName" in (request.input as object);
      if (context.commandName === "QueryCommand" && isOfIndex && remaining.index-- > 0) output.Items = [];
      if (context.commandName === "BatchGetItemCommand" && remaining.batches-- > 0) output.Responses = {};
      return response;
    },
    { step: "initialize", name: "hideResponses", override: true },
  );
}

/**
 * Makes eventually consistent reads of the table return nothing, as if each came to a node that lags far behind.
 *
 * @param command the only reads that return nothing; all reads unless given
 */
export function hideFromLaggingReads(table: Table, command?: "QueryCommand" | "BatchGetItemCommand"): void {
  table.client.middlewareStack.add(
    (next, context) => async (request) => {
      const response = await next(request);
      if (command && context.commandName !== command) return response;
      const input = request.input as QueryCommandInput & BatchGetItemCommandInput;
      const reads = [input, ...Object.values(input.RequestItems ?? {})];
      if (input.IndexName || reads.some(({ ConsistentRead }) => ConsistentRead)) return response;
      const output = response.output as { Items?: unknown[]; Item?: unknown; Responses?: Record<string, unknown[]> };
      if (output.Items) output.Items = [];
      if (output.Responses && !("TransactItems" in input)) output.Responses = {};
      delete output.Item;
      return response;
    },
    { step: "initialize", name: "hideFromLaggingReads", override: true },
  );
}
