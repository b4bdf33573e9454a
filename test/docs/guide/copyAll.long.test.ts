import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { eraseCustomer } from "../../../shared/domain/replication/eraseCustomer.ts";
import { restoringKey } from "../../../shared/store/keys/replication.ts";
import { unusedBucket } from "../../unusedBucket.ts";
import { useForwarder } from "../../useForwarder.ts";
import { kinds, useCopyPrograms } from "./useCopyPrograms.ts";

const { stage, folder, caller, need, run } = useCopyPrograms("copy-all-");

/** The CRB whose changes the proxy does not find. */
let unknownToProxy: string | undefined;
const proxy = useForwarder(() => stage().description.base_url, {
  instead: ({ url = "" }, response) =>
    url.includes(`/crbs/${unknownToProxy}/changes/`) &&
    !!response.writeHead(404, { "Content-Type": "text/html" }).end("<html>"),
});

describe.each([
  { language: "TypeScript", program: process.execPath, file: "copyAll.mts", database: "all-ts.db", erasedIndex: 0 },
  { language: "Python", program: "python3", file: "copy_all.py", database: "all-python.db", erasedIndex: 1 },
])("the $language program that copies all CRBs", ({ language, program, file, database, erasedIndex }) => {
  const provider = () => `${caller().BASE_URL}/service-providers/${caller().SP_ID}`;

  async function request<T>(url: string, body?: object): Promise<T> {
    const headers = { Authorization: String(caller().CLIENT_SECRET), "Content-Type": "application/json" };
    const response = await fetch(url, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  /** Runs the program once. @returns its output */
  const copy = async (variables = {}) => (await run(program, file, variables)).stdout.trim();

  function rows(sql: string, ...values: string[]): Record<string, unknown>[] {
    const db = new DatabaseSync(join(folder, database), { readOnly: true });
    const found = db.prepare(sql).all(...values);
    db.close();
    return found;
  }

  function change(sql: string, ...values: string[]): void {
    const db = new DatabaseSync(join(folder, database));
    db.prepare(sql).run(...values);
    db.close();
  }

  const eventsCursor = () => rows("SELECT cursor FROM cursors WHERE name = 'events'")[0]?.cursor?.toString();
  const setEventsCursor = (cursor: string) => change("UPDATE cursors SET cursor = ? WHERE name = 'events'", cursor);

  const copiedIds = (crbId: string, kind: string) =>
    rows("SELECT id FROM records WHERE crb_id = ? AND kind = ? ORDER BY id", crbId, kind).map(({ id }) => id);

  const isEnded = (crbId: string) => rows("SELECT ended FROM crbs WHERE id = ?", crbId).map(({ ended }) => ended === 1);

  /** The ids of all records that the API lists. */
  async function listedIds(crbId: string, kind: string): Promise<string[]> {
    type Page = { metadata: { total: number }; data: { id: string }[] };
    const ids = new Set<string>();
    for (let offset = 0, total = 1; offset < total; offset += 500) {
      const page = await request<Page>(`${provider()}/crbs/${crbId}/${kind}?limit=500&offset=${offset}`);
      for (const { id } of page.data) ids.add(id);
      total = page.metadata.total;
    }
    return [...ids].sort();
  }

  /** Waits for the first full readings, which the creation requested: another worker may still be at them. */
  async function untilReplicated(crbId: string): Promise<void> {
    type Replications = { data: { state: string; initial_sync_completed_date: string | null }[] };
    const isReplicated = async () => {
      const { data } = await request<Replications>(`${provider()}/crbs/${crbId}/replications`);
      return data.every((one) => one.state === "not_available" || one.initial_sync_completed_date !== null);
    };
    await expect.poll(isReplicated, { timeout: 60_000, interval: 200 }).toBe(true);
  }

  async function expectCompleteCopy(crbId: string): Promise<void> {
    for (const kind of kinds) expect(copiedIds(crbId, kind), kind).toEqual(await listedIds(crbId, kind));
  }

  test("copies new CRBs, new records and erasures, and marks CRBs whose association ended", async (context) => {
    need(program, context);
    const { data: crbs } = await request<{ data: { id: string }[] }>(`${provider()}/crbs`);
    expect(await copy()).toMatch(new RegExp(`^CRBs: ${crbs.length}, ended: 0, records: `));
    for (const { id } of crbs) await expectCompleteCopy(id);

    const { id: later } = await request<{ id: string }>(`${provider()}/crbs`, {
      org: { name: `Late ${language}`, state: "CO", business_type: "wholesale" },
      pos_info: {
        pos_type: "Flourish Wholesale",
        pos_credentials: { api_key: "any-key-will-do-here" },
        location_id: "testing",
      },
    });
    await stage().replicate();
    await untilReplicated(later);
    const { CRB_ID: known = "" } = caller();
    const customerId = (await listedIds(known, "customers"))[erasedIndex] ?? expect.fail("no customer");
    await eraseCustomer(stage().table, known, customerId);
    const before = eventsCursor() ?? expect.fail("no cursor");
    expect(await copy()).toMatch(new RegExp(`^CRBs: ${crbs.length + 1}, ended: 0, records: `));
    expect(copiedIds(later, "customers")).not.toEqual([]);
    await expectCompleteCopy(later);
    await expectCompleteCopy(known);
    const [erased] = rows("SELECT record FROM records WHERE kind = 'customers' AND id = ?", customerId);
    expect(JSON.parse(String(erased?.record))).toMatchObject({ anonymous: true, pos_customer_id: "erased" });
    // As if the program had been killed before it stored the cursor of the events.
    setEventsCursor(before);
    await copy();
    await expectCompleteCopy(known);

    const kept = copiedIds(later, "customers");
    await endAssociation(stage().table, unusedBucket, later);
    expect(await copy()).toMatch(new RegExp(`^CRBs: ${crbs.length}, ended: 1, records: `));
    expect([isEnded(later), isEnded(known)]).toEqual([[true], [false]]);
    expect(copiedIds(later, "customers")).toEqual(kept);
  });

  test("starts again from the list of CRBs when the service rejects its cursor of the events", async (context) => {
    need(program, context);
    setEventsCursor("A".repeat(160));
    change("UPDATE crbs SET ended = 0");
    expect(await copy()).toMatch(/ended: 1, /);
    expect(eventsCursor()).not.toBe("A".repeat(160));
  });

  test("copies the other CRBs if some fail, and those in the next run", async (context) => {
    need(program, context);
    const { data: crbs } = await request<{ data: { id: string }[] }>(`${provider()}/crbs`);
    const [closed = "", unknown = "", ...others] = crbs.map(({ id }) => id);
    expect(others).not.toEqual([]);
    const open = async () => {
      await stage().table.delete(restoringKey(closed));
      unknownToProxy = undefined;
    };
    context.onTestFinished(open);
    await stage().table.put({ ...restoringKey(closed), sp_id: caller().SP_ID });
    unknownToProxy = unknown;
    for (const table of ["records", "cursors"]) change(`DELETE FROM ${table}`);
    await expect(copy({ BASE_URL: proxy.url() })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Failed requests: 2. The next run repeats them."),
    });
    for (const id of others) await expectCompleteCopy(id);
    expect([copiedIds(closed, "customers"), copiedIds(unknown, "customers")]).toEqual([[], []]);
    expect(eventsCursor()).toBeUndefined();

    await open();
    await copy();
    for (const { id } of crbs) await expectCompleteCopy(id);
    expect(eventsCursor()).toBeDefined();
  });
});
