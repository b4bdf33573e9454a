import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jsonText } from "../../../../infra/codegen/jsonText.ts";
import { compareSums } from "../../../../shared/domain/replication/compareSums.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { replacePersonalData } from "../captured/replacePersonalData.ts";
import { connectorTo } from "../fakes/fakePos.ts";
import { FakeServer } from "../fakes/fakeServer.ts";
import { connectionTo, PulledRecords } from "../fakes/pulls.ts";
import { fakeSystems } from "../fakes/systems.ts";
import type { ExchangeFile } from "./exchangeFile.ts";

/** Reads the responses of a file with the connector. */
async function readFile({ pos, kind, now: instant, locationId, exchanges }: ExchangeFile) {
  const now = new Date(instant);
  const { posType, Server, more } = fakeSystems[pos];
  // Never started. It supplies the credentials that the connector expects.
  const fake = new Server("exchanges", { customers: 0, products: 0, packages: 0, sales: 0 }, () => now);
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
    const response = exchanges[at]?.response ?? { status: 404, body: {} };
    // A response names the address of the server, which differs in each run.
    const { body: content } = response;
    return typeof content === "string" ? { ...response, body: content.replaceAll("{server}", server.url) } : response;
  });
  server.now = () => now;
  await server.start();
  try {
    const address = { url: server.url, partnerKeys: fake.partnerKeys ?? {} };
    const connector = connectorTo(pos, address, { clock: { ...systemClock, now: () => now } });
    const store = { ...more, ...(locationId !== undefined && { locationId }) };
    const connection = connectionTo(posType, fake.credentials, store);
    const pull = new PulledRecords(connector, connection, kind).pull(now);
    const pulled = await pull.catch((error: unknown) => {
      throw unknown.length > 0 ? new Error(`No response for ${unknown.join(", ")}`) : error;
    });
    return { pulled, unknown, unserved: [...unserved].map((at) => exchanges[at]?.request) };
  } finally {
    await server.close();
  }
}

/** Tests that the connectors read the expected records from the files of a folder. */
export function describeExchanges(folder: string, files: readonly ExchangeFile[]): void {
  const expectedFile = (name: string) => join(folder, `${name}.expected.json`);

  describe.each(files.map((file) => [file.name, file] as const))("%s", (name, file) => {
    test("the connector reads the expected records", async () => {
      const { pulled, unknown, unserved } = await readFile(file);
      expect({ unknown, unserved }).toEqual({ unknown: [], unserved: [] });
      const found = JSON.parse(JSON.stringify({ records: [...pulled.records.values()], rejected: pulled.rejected }));
      const expected = expectedFile(name);
      if (!existsSync(expected)) {
        throw new Error(`Compare these records with the responses by hand, and save them as ${expected}:
${jsonText(found)}`);
      }
      expect(found).toEqual(JSON.parse(readFileSync(expected, "utf8")));
      if (file.kind === "sale")
        expect(compareSums(found.records as PosSale[])).toMatchObject({ mismatched: file.mismatched });
    });

    test("the file has no personal data, and the layout of other files", () => {
      expect(file).toEqual(replacePersonalData(file));
      const expected = readFileSync(expectedFile(name), "utf8");
      expect(expected).toBe(replacePersonalData(expected));
      for (const text of [expected, readFileSync(join(folder, `${name}.json`), "utf8")]) {
        expect(text).toBe(jsonText(JSON.parse(text)));
      }
    });
  });
}
