import type { Table } from "../shared/store/client.ts";

/** Counts the read units that the engine charges for a table's calls, from here on. */
export function countReadUnits(table: Table): () => number {
  let units = 0;
  table.client.middlewareStack.add(
    (next) => async (request) => {
      const input = { ...(request.input as object), ReturnConsumedCapacity: "TOTAL" };
      const answer = await next({ ...request, input });
      const { ConsumedCapacity: consumed } = answer.output as { ConsumedCapacity?: unknown };
      const parts = (Array.isArray(consumed) ? consumed : [consumed]) as ({ CapacityUnits?: number } | undefined)[];
      for (const part of parts) units += part?.CapacityUnits ?? 0;
      return answer;
    },
    { step: "initialize", name: "countReadUnits" },
  );
  return () => units;
}
