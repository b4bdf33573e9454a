import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../time/clock.ts";

/** What the header's whole seconds may hide. */
const wholeSecond = 1_000;

/** How many milliseconds the clock of a table's answers is ahead of this process's at least, as the last answer told. */
export class ClockOffset {
  milliseconds = 0;

  /** Reads the header `Date` of all answers from now on. */
  constructor(client: DynamoDBClient, clock: Clock) {
    client.middlewareStack.add(
      (next) => async (request) => {
        const sent = clock.now().getTime();
        const result = await next(request);
        const received = clock.now().getTime();
        const { headers } = result.response as { headers?: Record<string, string> };
        const answered = Date.parse(headers?.date ?? "");
        if (!Number.isNaN(answered)) this.milliseconds = outside(answered, sent - wholeSecond, received);
        return result;
      },
      { step: "deserialize", name: "clockOffset", override: true },
    );
  }
}

/** How far a number lies outside of two bounds. */
function outside(number: number, low: number, high: number): number {
  return Math.max(0, number - high) + Math.min(0, number - low);
}
