import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createQueueServer } from "../infra/local/queueServer.ts";

/**
 * Gives a test file's process the queues of the local stage. Their messages are recorded, not processed.
 *
 * @returns the bodies of the messages so far, by queue, and the delay in milliseconds of each delayed one; empty
 *   again before each test
 */
export function useQueues() {
  const sent = {
    replication: [] as unknown[],
    retries: [] as unknown[],
    restorations: [] as unknown[],
    invitations: [] as unknown[],
    webhooks: [] as unknown[],
    exports: [] as unknown[],
    statements: [] as unknown[],
    delays: [] as number[],
  };
  const note =
    (queue: "replication" | "retries" | "restorations" | "invitations" | "webhooks" | "exports" | "statements") =>
    async (event: { Records: { body: string }[] }) => {
      for (const { body } of event.Records) sent[queue].push(JSON.parse(body));
      return { batchItemFailures: [] };
    };
  const server = createQueueServer(
    {
      replication: note("replication"),
      retries: note("retries"),
      restorations: note("restorations"),
      invitations: note("invitations"),
      webhooks: note("webhooks"),
      exports: note("exports"),
      statements: note("statements"),
    },
    async (milliseconds) => void sent.delays.push(milliseconds),
  );
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SQS: url,
      REPLICATION_QUEUE_URL: `${url}/0/replication`,
      RETRY_QUEUE_URL: `${url}/0/retries`,
      RESTORATION_QUEUE_URL: `${url}/0/restorations`,
      WEBHOOK_QUEUE_URL: `${url}/0/webhooks`,
      INVITATION_QUEUE_URL: `${url}/0/invitations`,
      EXPORT_QUEUE_URL: `${url}/0/exports`,
      STATEMENT_QUEUE_URL: `${url}/0/statements`,
    });
  });
  beforeEach(() => {
    sent.replication = [];
    sent.retries = [];
    sent.restorations = [];
    sent.invitations = [];
    sent.webhooks = [];
    sent.exports = [];
    sent.statements = [];
    sent.delays = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return sent;
}
