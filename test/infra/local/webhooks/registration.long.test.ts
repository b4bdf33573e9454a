import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { close, listen } from "../../../../infra/local/listen.ts";
import { type Stage, startStage } from "../../../../infra/local/stage.ts";
import { readEndpoints } from "../../../../shared/domain/webhooks/endpoint.ts";
import { copyDemoData } from "../../../demoData.ts";
import { temporaryDirectories } from "../temporaryDirectories.ts";

const data = temporaryDirectories()();
const file = join(data, "receiver.json");
const noted = () => JSON.parse(readFileSync(file, "utf8")) as { port: number; endpoint_id: string; secret: string };

beforeAll(() => copyDemoData(data));

/**
 * Starts the stage, calls `look`, and stops the stage.
 * @returns the result of `look`
 */
async function started<T>(look: (stage: Stage, urls: string[]) => Promise<T>): Promise<T> {
  const stage = await startStage({ port: 0, data, replicateEvery: 0 });
  try {
    const endpoints = await readEndpoints(stage.table, stage.description.service_provider.sp_id);
    return await look(
      stage,
      endpoints.map(({ url }) => url),
    );
  } finally {
    await stage.stop();
  }
}

const isRegistered = () =>
  started(async ({ description }, urls) => {
    expect(urls).toEqual([`${description.webhooks_url}/demo-events`]);
    expect(new URL(description.webhooks_url).port).toBe(String(noted().port));
    return noted();
  });

const call = ({ base_url, service_provider }: Stage["description"], method: string, path: string, body?: object) =>
  fetch(`${base_url}/service-providers/${service_provider.sp_id}/webhook-endpoints${path}`, {
    method,
    headers: { Authorization: service_provider.client_secret, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

test("the receiver is registered once, with the same port and secret at each start", async () => {
  const first = await isRegistered();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await isRegistered()).toEqual(first);
});

test("if its port is in use, the receiver gets another one, and the endpoint its new address", async () => {
  const before = noted();
  const other = createServer();
  await listen(other, before.port);
  try {
    const { port, ...same } = await isRegistered();
    expect([port === before.port, { ...before, ...same, port: 0 }]).toEqual([false, { ...before, port: 0 }]);
  } finally {
    await close(other);
  }
});

test("a start that was interrupted before it had recorded the secret leaves no second endpoint", async () => {
  const { endpoint_id } = noted();
  writeFileSync(file, "");
  expect((await isRegistered()).endpoint_id).not.toBe(endpoint_id);
});

test("a deleted endpoint is registered again, and one with a changed url keeps it", async () => {
  const before = noted();
  await started(async ({ description }) => {
    expect((await call(description, "DELETE", `/${before.endpoint_id}`)).status).toBe(200);
  });
  const { endpoint_id } = await isRegistered();
  expect(endpoint_id).not.toBe(before.endpoint_id);
  const elsewhere = "http://127.0.0.1:3999/";
  await started(async ({ description }) => {
    expect((await call(description, "PUT", `/${endpoint_id}`, { url: elsewhere })).status).toBe(200);
  });
  await started(async (_, urls) => expect(urls).toEqual([elsewhere]));
});
