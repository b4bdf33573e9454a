import { beforeAll, beforeEach, vi } from "vitest";
import { createQueueServer } from "../infra/local/queueServer.ts";
import { useServer } from "./useServer.ts";

/** The queues of the local stage, and the variables with their addresses. */
const variables = {
  replication: "REPLICATION_QUEUE_URL",
  retries: "RETRY_QUEUE_URL",
  restorations: "RESTORATION_QUEUE_URL",
  invitations: "INVITATION_QUEUE_URL",
  webhooks: "WEBHOOK_QUEUE_URL",
  exports: "EXPORT_QUEUE_URL",
  statements: "STATEMENT_QUEUE_URL",
} as const;
type Queue = keyof typeof variables;
const queues = Object.keys(variables) as Queue[];
const each = <Value>(of: (queue: Queue) => Value) =>
  Object.fromEntries(queues.map((queue) => [queue, of(queue)])) as Record<Queue, Value>;

/**
 * Gives a test file's process the queues of the local stage. Their messages are recorded, not processed.
 *
 * @returns the bodies of the messages so far, by queue, and the delay in milliseconds of each delayed one; empty
 *   again before each test
 */
export function useQueues() {
  const nothing = () => ({ ...each((): unknown[] => []), delays: [] as number[] });
  const sent = nothing();
  const record = (queue: Queue) => async (event: { Records: { body: string }[] }) => {
    for (const { body } of event.Records) sent[queue].push(JSON.parse(body));
    return { batchItemFailures: [] };
  };
  const url = useServer(createQueueServer(each(record), async (milliseconds) => void sent.delays.push(milliseconds)));
  beforeAll(() => {
    process.env.AWS_ENDPOINT_URL_SQS = url();
    for (const queue of queues) process.env[variables[queue]] = `${url()}/0/${queue}`;
  });
  beforeEach(() => void Object.assign(sent, nothing()));
  return sent;
}

/** Does work while a queue cannot be reached. */
export async function duringOutage<Result>(queue: Queue, work: () => Promise<Result>): Promise<Result> {
  // The client reports the changed host.
  using _ = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const url = process.env[variables[queue]];
  process.env[variables[queue]] = "http://127.0.0.1:1/0/queue";
  try {
    return await work();
  } finally {
    process.env[variables[queue]] = url;
  }
}
