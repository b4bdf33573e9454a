import type { Table } from "../../../../shared/store/client.ts";

/** What a test takes out of answers, so often each. */
interface Hidden {
  /** All that queries of an index find, as where it lags. */
  index?: number;
  /** All that BatchGetItem finds, as where a read is old. */
  batches?: number;
}

/** Has a table's next answers show nothing of what was written lately, as DynamoDB's may. */
export function hideResponses(table: Table, hidden: Hidden): void {
  const left = { index: 0, batches: 0, ...hidden };
  table.client.middlewareStack.add(
    (next, context) => async (request) => {
      const answer = await next(request);
      const output = answer.output as { Items?: unknown[]; Responses?: Record<string, unknown[]> };
      const isOfIndex = "IndexName" in (request.input as object);
      if (context.commandName === "QueryCommand" && isOfIndex && left.index-- > 0) output.Items = [];
      if (context.commandName === "BatchGetItemCommand" && left.batches-- > 0) output.Responses = {};
      return answer;
    },
    { step: "initialize", name: "hideAnswers", override: true },
  );
}
