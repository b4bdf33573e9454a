import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recordKinds } from "../../../../shared/api/kinds.ts";
import { connectorProofs, readablePosTypes } from "../../../../shared/api/pos/connectorProofs.ts";
import { lacks } from "../../../../shared/api/pos/posTypes.ts";
import { compareSums } from "../../../../shared/domain/replication/compareSums.ts";
import { connectorRegistry } from "../../../../shared/pos/connectorRegistry.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { testEndpointVariables } from "../../../../shared/pos/testEndpoints.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { connectorTo } from "../fakes/fakePos.ts";
import { FakeServer } from "../fakes/fakeServer.ts";
import { connectionTo, PulledRecords } from "../fakes/pulls.ts";
import { fakeSystems } from "../fakes/systems.ts";
import { type Captured, readCapturedFiles } from "./capturedFile.ts";
import { replacePersonalData } from "./replacePersonalData.ts";

const files = readCapturedFiles();
const expectedFile = (name: string) => join(import.meta.dirname, `${name}.expected.json`);

/** Reads the responses of a file with the connector. */
async function readFile({ pos, kind, now: instant, locationId, exchanges }: Captured) {
  const now = new Date(instant);
  const { posType, make, credentialsOf, more } = fakeSystems[pos];
  // Never started. It supplies the credentials that the connector expects.
  const fake = make("captured", { customers: 0, products: 0, packages: 0, sales: 0 }, () => now);
  const unserved = new Set(exchanges.map((_, at) => at));
  const unknown: string[] = [];
  const server = new FakeServer(({ path, query, body, method }) => {
    const at = exchanges.findIndex(
      ({ request }) =>
        request.path === path &&
        body.includes(request.body) &&
        Object.entries(request.query).every(([name, value]) => query.get(name) === value),
    );
    unserved.delete(at);
    if (at === -1) unknown.push(`${method} ${path}?${query} ${body}`);
    return exchanges[at]?.response ?? { status: 404, body: {} };
  });
  server.now = () => now;
  await server.start();
  try {
    const address = { url: server.url, partnerKeys: fake.partnerKeys ?? {} };
    const connector = connectorTo(pos, address, { clock: { ...systemClock, now: () => now } });
    const store = { ...more, ...(locationId !== undefined && { locationId }) };
    const connection = connectionTo(posType, credentialsOf(fake), store);
    const pull = new PulledRecords(connector, connection, kind).pull(now);
    const pulled = await pull.catch((error: unknown) => {
      throw unknown.length > 0 ? new Error(`No captured response for ${unknown.join(", ")}`) : error;
    });
    return { pulled, unknown, unserved: [...unserved].map((at) => exchanges[at]?.request) };
  } finally {
    await server.close();
  }
}

describe.each(files.map((file) => [`${file.pos}/${file.kind}`, file] as const))("%s", (name, file) => {
  test("the connector reads the expected records", async () => {
    const { pulled, unknown, unserved } = await readFile(file);
    expect({ unknown, unserved }).toEqual({ unknown: [], unserved: [] });
    const found = JSON.parse(JSON.stringify({ records: [...pulled.records.values()], rejected: pulled.rejected }));
    const expected = expectedFile(name);
    if (!existsSync(expected)) {
      throw new Error(`Compare these records with the responses by hand, and save them as ${expected}:
${JSON.stringify(found, null, 2)}`);
    }
    expect(found).toEqual(JSON.parse(readFileSync(expected, "utf8")));
    if (file.kind === "sale") expect(compareSums(found.records as PosSale[])).toMatchObject({ odd: 0 });
  });

  test("the file has no personal data", () => {
    expect(file).toEqual(replacePersonalData(file));
    const expected = readFileSync(expectedFile(name), "utf8");
    expect(expected).toBe(replacePersonalData(expected));
  });
});

test("a connector with captured payloads as its proof has them for every kind of records that it reads", () => {
  const proven = readablePosTypes.filter((posType) => (connectorProofs[posType] as string) === "captured payloads");
  const missing = proven.flatMap((posType) =>
    recordKinds.filter(
      (kind) =>
        !lacks(posType, kind) &&
        !files.some(
          (file) =>
            testEndpointVariables[file.pos] === connectorRegistry[posType].testEndpoint &&
            file.kind === kind &&
            file.source.proof === "captured payloads",
        ),
    ),
  );
  expect(missing).toEqual([]);
});
