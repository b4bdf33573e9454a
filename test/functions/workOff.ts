import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { expect } from "vitest";
import { sqsEvent } from "../../infra/local/sqsEvent.ts";
import { testContext } from "../requestEvent.ts";

/** Runs a worker with every message of its queue, also with those that it sends. */
export async function workOff(
  queue: Parameters<typeof sqsEvent>[0],
  messages: unknown[],
  worker: (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>,
): Promise<void> {
  while (messages.length > 0) {
    const context = { ...testContext, getRemainingTimeInMillis: () => 600_000 };
    const event = sqsEvent(queue, JSON.stringify(messages.shift()));
    expect(await worker(event, context)).toEqual({ batchItemFailures: [] });
  }
}
