import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../time/clock.ts";

/** The header `Date` has whole seconds, so DynamoDB's clock may be up to this number of milliseconds ahead of it. */
const wholeSecond = 1_000;

/**
 * The difference of DynamoDB's clock and that of this process at the last response. A request takes time, so `milliseconds`
 * is the smallest possible difference: positive if DynamoDB's clock is ahead.
 */
export class ClockOffset {
  milliseconds = 0;

  /** From now on, measures the difference at each response, by the header `Date`. */
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

/** The distance of a number from a range: 0 inside the range, negative below it, positive above it. */
const outside = (number: number, low: number, high: number): number =>
  Math.max(0, number - high) + Math.min(0, number - low);
