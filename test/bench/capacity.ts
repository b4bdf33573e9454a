import type { ConsumedCapacity, DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** The number of bytes that a read unit reads with eventual consistency. */
export const bytesPerUnit = 8_192;

/** The capacity that a piece of work consumed, as the engine reports it. */
export interface Cost {
  readUnits: number;
  writeUnits: number;
  /** The length of the longest chain of calls that waited for one another. */
  roundTrips: number;
}

/**
 * Runs a piece of work and adds up the capacity of all calls that it makes through this client.
 *
 * Nothing else may use the client meanwhile. A call counts as waiting for every call that had ended when it began.
 */
export async function costOf<Result>(
  client: DynamoDBClient,
  work: () => Promise<Result>,
): Promise<Cost & { result: Result }> {
  const cost: Cost = { readUnits: 0, writeUnits: 0, roundTrips: 0 };
  client.middlewareStack.add(
    (next, context) => async (request) => {
      const place = cost.roundTrips + 1;
      const answer = await next({ ...request, input: { ...request.input, ReturnConsumedCapacity: "TOTAL" } as never });
      cost.roundTrips = Math.max(cost.roundTrips, place);
      const { ConsumedCapacity: consumed } = answer.output as { ConsumedCapacity?: unknown };
      const writes = /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(context.commandName ?? "");
      for (const { CapacityUnits = 0 } of [consumed ?? []].flat() as ConsumedCapacity[]) {
        if (writes) cost.writeUnits += CapacityUnits;
        else cost.readUnits += CapacityUnits;
      }
      return answer;
    },
    { step: "initialize", name: "costOf" },
  );
  try {
    const result = await work();
    return { ...cost, result };
  } finally {
    client.middlewareStack.remove("costOf");
  }
}
