import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../time/clock.ts";

/** The header has whole seconds, so the time may be up to this much later. */
const wholeSecond = 1_000;

/**
 * Minimum number of milliseconds by which the table's clock is ahead of this process (negative if behind), measured at
 * the last response.
 */
export class ClockOffset {
  milliseconds = 0;

  /** Reads the header `Date` of all responses from now on. */
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

/** The distance of a number from a range; 0 inside, negative below it. */
function outside(number: number, low: number, high: number): number {
  return Math.max(0, number - high) + Math.min(0, number - low);
}
