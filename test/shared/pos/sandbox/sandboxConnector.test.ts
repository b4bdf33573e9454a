import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { type Connection, PosError } from "../../../../shared/pos/connector.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { pullAll, testConnection } from "./testConnection.ts";

const connector = sandboxConnector(15);
const start = "2026-03-01T00:00:00.000Z";
const hourLater = "2026-03-01T01:00:00.000Z";

const pullCustomers = (since: string | null, now: string, more: Partial<Connection> = {}) =>
  pullAll("customer", connector, { ...testConnection, ...more }, since, now);

function byId(records: { pos_customer_id: string }[]) {
  return new Map(records.map((record) => [record.pos_customer_id, record]));
}

describe("the first pull", () => {
  test.each([
    ["retail", 2000],
    ["wholesale", 300],
  ] as const)("of a %s business reads %i customers, each once", async (businessType, count) => {
    const pull = await pullCustomers(null, start, { businessType });
    expect(pull).toMatchObject({ total: count, complete: true });
    expect(byId(pull.records).size).toBe(count);
    expect(pull.records).toHaveLength(count);
    expect(pull.sizes.length).toBeGreaterThan(1);
  });
});

test("two processes see the same world", async () => {
  const { records } = await pullCustomers(null, hourLater);
  const script = `
    import { createHash } from "node:crypto";
    import { sandboxConnector } from "./shared/pos/sandbox/sandboxConnector.ts";
    import { pullAll, testConnection } from "./test/shared/pos/sandbox/testConnection.ts";
    const { records } = await pullAll("customer", sandboxConnector(15), testConnection, null, "${hourLater}");
    console.log(createHash("sha256").update(JSON.stringify(records)).digest("hex"));`;
  const other = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
    encoding: "utf8",
  });
  expect(other.trim()).toBe(createHash("sha256").update(JSON.stringify(records)).digest("hex"));
});

test("another business has other customers", async () => {
  const one = await pullCustomers(null, start);
  const other = await pullCustomers(null, start, { crbId: "a1f4c9d2-7b38-4e56-9c0a-3d2e8f617b01" });
  const nameOf = (record: { first_name: string | null; last_name: string | null } | undefined) =>
    `${record?.first_name} ${record?.last_name}`;
  const equal = one.records.filter((record, i) => nameOf(record) === nameOf(other.records[i]));
  expect(equal.length).toBeLessThan(20);
});

describe("a later pull", () => {
  test("reads new and changed customers, and leads to the same customers as a complete pull", async () => {
    const first = await pullCustomers(null, start);
    const known = byId(first.records);
    let since = first.watermark;
    for (const now of ["2026-03-01T00:00:15.000Z", "2026-03-01T00:01:29.000Z", hourLater]) {
      const later = await pullCustomers(since, now);
      expect(later.complete).toBe(false);
      const changed = later.records.filter((record) => known.has(record.pos_customer_id));
      expect(changed.length).toBeGreaterThan(0);
      expect(changed.length).toBeLessThan(later.records.length);
      for (const record of changed) expect(record).not.toEqual(known.get(record.pos_customer_id));
      for (const record of later.records) {
        expect(record.pos_updated_date && record.pos_updated_date > since && record.pos_updated_date <= now).toBe(true);
        known.set(record.pos_customer_id, record);
      }
      since = later.watermark;
    }
    const complete = await pullCustomers(null, hourLater);
    expect(known).toEqual(byId(complete.records));
  });

  test("has pages too, without a gap or repetition", async () => {
    const later = await pullCustomers(start, "2026-03-01T04:00:00.000Z");
    expect(later.sizes.length).toBeGreaterThan(2);
    expect(byId(later.records).size).toBe(later.total);
    expect(later.records).toHaveLength(later.total ?? Number.NaN);
  });

  test("within a tick reads nothing", async () => {
    const later = await pullCustomers("2026-03-01T00:00:16.000Z", "2026-03-01T00:00:29.000Z");
    expect(later.records).toEqual([]);
  });
});

test("a POS is simulated without the kinds that it does not have", async () => {
  const connection: Connection = { ...testConnection, posType: "Sage Intacct", businessType: "wholesale" };
  const pulled = async (kind: RecordKind) => (await pullAll(kind, connector, connection, null, start)).records.length;
  expect(await pulled("inventory")).toBe(0);
  expect(await pulled("product")).toBeGreaterThan(0);
  // The pull is complete, so records stored before count as vanished.
  const page = await connector.pull(connection, {
    kind: "inventory",
    since: null,
    position: null,
    now: new Date(start),
  });
  expect(page).toMatchObject({ complete: true, next: { readAll: true } });
});

describe("credentials", () => {
  const verify = (credentials: Record<string, string | number>) => connector.verify({ ...testConnection, credentials });

  test.each([
    { username: "testing", password: "valid-password" },
    { username: "testing", password: "testing" },
    { username: "testing", password: "valid-password", server_ip: "10.0.0.1", port: 80, database_name: "any" },
    { apiKey: "anything" },
    { apiKey: "anything", officeId: 3 },
    {},
  ])("accepts %j", async (credentials) => {
    expect(await verify(credentials)).toEqual([{ id: "testing", name: "Sandbox Store", address: "1 Test Street" }]);
  });

  test.each([
    { username: "testing", password: "invalid-password" },
    { username: "testing", password: "invalid_testing" },
    { username: "testing", password: "other" },
    { username: "other", password: "valid-password" },
    { apiKey: "invalid-password" },
    { medApiKey: "fine", recApiKey: "invalid-password" },
  ])("rejects %j, in a pull too", async (credentials) => {
    await expect(verify(credentials)).rejects.toThrow(new PosError("credentialsRefused"));
    const pull = pullCustomers(null, start, { credentials });
    await expect(pull).rejects.toThrow(new PosError("credentialsRefused"));
  });

  test("give access only to their own store", async () => {
    const pull = (locationId: string) => pullCustomers(null, start, { locationId });
    await expect(pull("invalidLocation")).rejects.toMatchObject({ failure: "locationGone" });
    expect((await pull("testing")).records).toHaveLength(2000);
  });
});
