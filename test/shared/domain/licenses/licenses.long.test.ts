import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { handler as searchLicenses } from "../../../../functions/serviceProviders/searchLicenses.ts";
import { bundle } from "../../../../infra/bundle/bundle.ts";
import { nodeOptions } from "../../../../infra/constructs/nodeOptions.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { importRegister } from "../../../../shared/domain/licenses/importRegister.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import { licensesKey } from "../../../../shared/store/keys/licenses.ts";
import { median } from "../../../bench/bench.ts";
import { type Business, createBusiness } from "../../../bench/data/business.ts";
import { inventoryMaker } from "../../../bench/data/records.ts";
import { makingPos } from "../../../bench/memory/makingPos.ts";
import { peakMemoryOf } from "../../../bench/memory/peakMemory.ts";
import { requestEvent, testContext } from "../../../requestEvent.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { manyRows } from "./manyRows.ts";
import { importResult } from "./registerFile.ts";

const table = useTestTable();
useTestBucket();

const count = 100_000;
const stores = () => ({ table: table(), bucket: serviceBucket() });

/**
 * Other work of the machine disturbs these measurements, and the time of garbage collection changes some MB. A limit
 * counts as exceeded only if it is exceeded three times.
 */
const measuring = { retry: 2 };

describe("a hundred thousand licenses with hostile names", () => {
  let business: Business;
  const eventOf = (query: Record<string, string | number>) => ({
    resource: "/service-providers/{sp_id}/licenses-search",
    path: { sp_id: business.spId },
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [String(value)]])),
    authorization: business.secret,
  });
  const search = (query: Record<string, string | number>) => {
    const event = requestEvent(eventOf(query));
    return () => searchLicenses(event, testContext);
  };
  const countFound = async (query: Record<string, string | number>) => {
    const { metadata, data } = JSON.parse((await search(query)()).body);
    return { total: metadata.total as number, records: data.length as number };
  };

  beforeAll(async () => {
    business = await createBusiness(table());
    const { connection } = business;
    const made = makingPos<"inventory">(2_000, await inventoryMaker(connection, 500));
    await replicate(table(), connection, made, "inventory");
    for (const [first, state] of [
      [0, "CO"],
      [1, "OR"],
    ] as const) {
      const result = await importRegister(stores(), { state, authority: "" }, manyRows({ first, count }));
      expect(result).toEqual(importResult({ created: count / 2 }));
    }
  }, 600_000);

  /**
   * The minimum number of licenses that each search finds. The words of most searches are scattered over the whole
   * list.
   */
  const searches: Record<string, { query: Record<string, string>; min: number }> = {
    everything: { query: {}, min: count },
    "a state": { query: { state: "CO" }, min: count / 2 },
    "a state and a type": { query: { state: "CO", licenseType: "Storage" }, min: 5_000 },
    "a scattered word": { query: { name: "leaf" }, min: 7_500 },
    "prefixes that all have": { query: { name: "g l" }, min: count },
    "all terms": { query: { state: "OR", licenseType: "Cultivation", name: "leaf green" }, min: 3_900 },
    "any script": { query: { name: "株式会社" }, min: 4_000 },
  };

  test.each([100, 1_000])(
    "a page of %i takes at most 1.5 times as long as a page of an ordinary list",
    measuring,
    async (limit) => {
      const pages = Object.entries(searches).flatMap(([name, { query, min }]) =>
        [0, min - limit].map((offset) => [`${name}, from ${offset}`, { ...query, limit, offset }] as const),
      );
      for (const [name, query] of pages) expect((await countFound(query)).records, name).toBe(limit);
      const ordinary = {
        resource: "/service-providers/{sp_id}/crbs/{crb_id}/inventory",
        path: { sp_id: business.spId, crb_id: business.crbId },
        query: { limit: [String(limit)] },
        authorization: business.secret,
      };
      const events = Object.fromEntries(pages.map(([name, query]) => [name, eventOf(query)]));
      const program = new URL("comparingProcess.ts", import.meta.url);
      const { ratios } = await peakMemoryOf<{ ratios: Record<string, number> }>(program, {
        ordinary,
        searches: events,
      });
      for (const [name, ratio] of Object.entries(ratios)) expect(ratio, name).toBeLessThanOrEqual(1.5);
    },
  );

  test("are counted by searches", async () => {
    for (const [name, { query, min }] of Object.entries(searches)) {
      const { total } = await countFound({ ...query, limit: 1 });
      expect(total, name).toBeGreaterThanOrEqual(min);
      expect(total, name).toBeLessThan(min * 1.1);
    }
  });

  test("are searched in 256 MB of memory", measuring, async () => {
    const events = Object.values(searches).flatMap(({ query, min }) =>
      [0, min - 1_000].map((offset) => eventOf({ ...query, limit: 1_000, offset })),
    );
    const program = new URL("searchingProcess.ts", import.meta.url);
    const { peak, totals } = await peakMemoryOf<{ totals: number[] }>(program, { events });
    expect(totals[0]).toBe(count);
    expect(peak / 1024 ** 2).toBeLessThanOrEqual(256);
  });

  test(
    "are searched the first time in at most 2.5 times the processor time of a bare handler's first call",
    measuring,
    async () => {
      const directory = mkdtempSync(join(tmpdir(), "licenses-cold-"));
      try {
        const sources = [
          { handler: "bare", entry: "test/bench/cold/bareHandler.ts" },
          { handler: "serviceProviders/searchLicenses" },
        ];
        await bundle("sandbox", sources, directory);
        const program = fileURLToPath(new URL("../../../bench/cold/startTime.mjs", import.meta.url));
        const startTime = async (handler: string, event: object) => {
          const module = join(directory, handler, "index.mjs");
          const env = { ...process.env, NODE_OPTIONS: nodeOptions("page"), POWERTOOLS_LOG_LEVEL: "SILENT" };
          const { stdout } = await promisify(execFile)(process.execPath, [program, module, JSON.stringify(event)], {
            env,
          });
          return JSON.parse(stdout) as { milliseconds: number; status?: number };
        };
        // The first search loads the index. The test above measures the records of a long page.
        const events = [{}, { name: "leaf" }].map((query) => requestEvent(eventOf({ ...query, limit: 100 })));
        const ratios: number[][] = events.map(() => []);
        for (let round = 0; round < 9; round++) {
          const bare = await startTime("bare", licensesKey);
          for (const [i, event] of events.entries()) {
            const first = await startTime("serviceProviders/searchLicenses", event);
            expect(first.status).toBe(200);
            ratios[i]?.push(first.milliseconds / bare.milliseconds);
          }
        }
        for (const some of ratios) expect(median(some)).toBeLessThanOrEqual(2.5);
      } finally {
        rmSync(directory, { recursive: true });
      }
    },
  );
});
