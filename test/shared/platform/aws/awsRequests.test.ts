import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { serviceTable } from "../../../../shared/store/client.ts";
import { crbKey } from "../../../../shared/store/keys/crbs.ts";

test("a call without a response ends after five seconds", async () => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  server.on("connection", (socket) => onTestFinished(() => void socket.destroy()));
  vi.stubEnv("TABLE_NAME", "silent");
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let failure: unknown;
  serviceTable()
    .get(crbKey("1"))
    .catch((error: unknown) => {
      failure = error;
    });
  await once(server, "connection");
  await vi.advanceTimersByTimeAsync(4_999);
  expect(failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await expect.poll(() => failure).toMatchObject({ name: "ServiceError", kind: "unavailable" });
});
