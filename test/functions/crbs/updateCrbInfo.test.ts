import { beforeEach, describe, expect, test } from "vitest";
import type { PosTypeName } from "../../../shared/api/enumerations.ts";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { uploadedPosTypes } from "../../../shared/api/pos/posTypes.ts";
import { readSalesDays } from "../../../shared/domain/replication/readSalesDays.ts";
import { replicateCrb } from "../../../shared/domain/replication/replicateCrb.ts";
import { changeCrb, readCrb } from "../../../shared/store/crbs.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { replicationDueKey, replicationKey } from "../../../shared/store/keys/replication.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { findOrganization, idsOf } from "../../../shared/store/organizations.ts";
import { toLocalTime } from "../../../shared/time/localTime.ts";
import { crbRecord } from "../../crbRecord.ts";
import { plainCustomer, plainSale, ScriptedPos, voidSale } from "../../shared/domain/replication/scriptedPos.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

useTestServiceKey();
useQueues();
const table = useTestTable();

async function given(record: Partial<ReturnType<typeof crbRecord>> = {}) {
  const { call, crbId, spId } = await givenServiceProvider(table(), undefined, record);
  const update = (body: unknown) => call("updateCrbInfo", { body });
  const stored = async () => (await readCrb(table(), crbId))?.record;
  return { crbId, spId, update, stored };
}

/** Every field of docs/spec.md#crb-update, with a sent value and the value in the record. */
const fields: [string, unknown, unknown?][] = [
  ["timezone", "America/Boise"],
  ["street_address", "  1 Main Street ", "1 Main Street"],
  ["mailing_street_address", "PO\tBox\u00001\nAspen"],
  ["street_address_2", ""],
  ["city", "Fort St. John-on-Sea"],
  ["postal_code", "80202-1234"],
  ["country", "Canada"],
  ["mailing_city", "Aspen"],
  ["mailing_state", "AP"],
  ["mailing_postal_code", "802021234"],
  ["ein", "84-7654321"],
  ["phone_number", "(303) 555-0117"],
  ["website", "https://example.com/path?q=1#ü"],
  ["website", "example.com:8080/shop"],
  ["established_date", "2016-02-29T12:30:00.000Z", "2016-02-29"],
  ["ftEmployees", 0],
  ["ptEmployees", 2147483647],
  ["entityType", "llc"],
  ["dba", "  "],
  ["dba", "Café “Zoë & Søn”, Inc."],
  ["monthlySales", 20000, "20000"],
  ["monthlyCustomers", 17],
];

describe("an update", () => {
  test.each(fields)("can set %s alone", async (name, sent, held = typeof sent === "string" ? sent.trim() : sent) => {
    const { crbId, update, stored } = await given();
    const { status, json } = await update({ [name]: sent });
    expect([status, json]).toEqual([200, { ...crbRecord(crbId), [name]: held }]);
    expect(Object.keys(json)).toEqual(Object.keys(crbRecord(crbId)));
    expect(await stored()).toEqual(json);
  });

  test("can set all fields at once", async () => {
    const { update, stored } = await given();
    const { status, json } = await update(Object.fromEntries(fields));
    expect(status).toBe(200);
    expect(await stored()).toEqual(json);
  });

  test("without fields changes nothing", async () => {
    const { crbId, update, stored } = await given({ city: "Denver" });
    expect(await update({})).toMatchObject({ status: 200, json: { ...crbRecord(crbId), city: "Denver" } });
    expect(await update({ city: "Denver" })).toMatchObject({ status: 200, json: { city: "Denver" } });
    expect(await stored()).toEqual({ ...crbRecord(crbId), city: "Denver" });
  });

  test("is not lost if another one runs in parallel", async () => {
    const { update, stored } = await given();
    await Promise.all([update({ city: "Denver" }), update({ dba: "Both" })]);
    expect(await stored()).toMatchObject({ city: "Denver", dba: "Both" });
  });

  test("of the EIN changes the EIN by which the organization is found", async () => {
    const { crbId, spId, update } = await given({ ein: "84-0000001" });
    const find = async (ein: string | null, name = "Other") =>
      idsOf(await findOrganization(table(), spId, { ...crbRecord(crbId), ein, name }))[0];
    const found = async () => [
      await find("84-0000001"),
      await find("84-0000002"),
      await find(null, crbRecord(crbId).name),
    ];
    expect(await found()).toEqual([crbId, undefined, crbId]);
    await update({ ein: "84-0000002" });
    expect(await found()).toEqual([undefined, crbId, crbId]);
  });
});

describe("another time zone", () => {
  let pos: ScriptedPos;
  beforeEach(() => {
    pos = new ScriptedPos(1);
  });
  const at = "2026-03-01T07:30:00.000Z";

  async function givenConnected(posType: PosTypeName) {
    const business = await given({ timezone: "America/New_York" });
    const { crbId } = business;
    const connection = { posType, locationId: null, connectedAt: new Date().toISOString() };
    await changeCrb(table(), crbId, (crb) => ({ ...crb, connection }));
    const replicate = (kind: RecordKind, { seconds = 60, full }: { seconds?: number; full?: true } = {}) => {
      const deadline = new Date(Date.now() + seconds * 1_000);
      return replicateCrb(table(), { crb_id: crbId, kind, full }, { deadline, connectorOf: () => pos });
    };
    const records = async (kind: RecordKind) => {
      const { records } = await readPage(table(), recordList(crbId, kind), { offset: 0, limit: 10 });
      return records.map((record) => JSON.parse(record));
    };
    const due = () => table().get(replicationDueKey(crbId));
    const state = (kind: RecordKind) => table().get(replicationKey(crbId, kind), { consistent: true });
    return { ...business, replicate, records, due, state };
  }

  test("starts a new reading of all records, also of those that a run had begun with", async () => {
    const { crbId, update, replicate, records, due, state } = await givenConnected("Treez");
    pos.put("sale", plainSale("1", 0, at, null));
    pos.put("location", { pos_location_id: "1", name: "Floor", pos_location_type: null, pos_updated_date: null });
    await replicate("location");
    await replicate("sale");
    pos.put("sale", plainSale("2", 0, at, null), plainSale("3", 0, at, null));
    expect(await replicate("sale", { seconds: 0 })).toMatchObject({ outcome: "unfinished" });
    const succeeded_at = (await state("sale"))?.succeeded_at;
    await table().update(replicationDueKey(crbId), { rank: "2099" });

    expect((await update({ timezone: "America/Los_Angeles" })).status).toBe(200);
    expect((await due())?.rank).toMatch(/^20[2-8]/);
    expect(await state("sale")).toMatchObject({ since: null, position: null, succeeded_at });
    await replicate("location");
    expect(await replicate("sale")).toMatchObject({ outcome: "finished", read: 3 });
    expect((await records("sale")).map(({ local_date }) => local_date)).toEqual(
      Array.from({ length: 3 }, () => "2026-02-28 23:30:00.000"),
    );
    const [location] = await records("location");
    expect(location.svc_created_date_local).toBe(toLocalTime(location.svc_created_date, "America/Los_Angeles"));

    const before = await state("sale");
    for (const body of [{ timezone: "America/Los_Angeles", city: "Reno" }, { city: "Elko" }]) await update(body);
    expect(await state("sale")).toEqual(before);
    expect(await replicate("location", { full: true })).toMatchObject({ changed: 0, unchanged: 1 });
  });

  test("makes no sales day complete before all sales are read in it", async () => {
    const { crbId, update, replicate } = await givenConnected("Treez");
    const complete = async () => {
      const { days } = await readSalesDays(table(), crbId, { offset: 0, limit: 10 });
      return days.map(({ date, complete, revision }) => [date, complete, revision]);
    };
    pos.put(
      "sale",
      plainSale("1", 0, "2025-03-10T05:30:00.000Z", null),
      plainSale("2", 0, "2025-03-11T20:00:00.000Z", null),
    );
    await replicate("sale");
    expect(await complete()).toEqual([
      ["2025-03-11", true, 0],
      ["2025-03-10", true, 0],
    ]);
    await update({ timezone: "America/Los_Angeles" });
    expect((await complete()).map(([, isComplete]) => isComplete)).toEqual([false, false]);
    expect(await replicate("sale", { seconds: 0 })).toMatchObject({ outcome: "unfinished" });
    expect((await complete()).some(([, isComplete]) => isComplete)).toBe(false);
    expect(await replicate("sale")).toMatchObject({ outcome: "finished" });
    expect(await complete()).toEqual([
      ["2025-03-11", true, 1],
      ["2025-03-10", true, 1],
      ["2025-03-09", true, 1],
    ]);
    // The first time zone again: the sales are on days of the other one until they are read again.
    await update({ timezone: "America/New_York" });
    expect((await complete()).some(([, isComplete]) => isComplete)).toBe(false);
  });

  test("moves a voided sale to its day, also if the local time of its voiding stays the same", async () => {
    const { update, replicate, records } = await givenConnected("Treez");
    await update({ timezone: "America/Denver" });
    pos = new ScriptedPos(10);
    // Phoenix has the time of Denver in winter, and is an hour behind in summer.
    const [summer, winter] = ["2025-07-01T06:30:00.000Z", "2025-12-01T20:00:00.000Z"];
    const sales = ["1", "2", "3", "4"].map((id) => plainSale(id, 0, winter, null));
    pos.put("sale", plainSale("0", 0, summer, null), ...sales);
    await replicate("sale");
    pos.put("sale", voidSale(plainSale("0", 0, summer, null), winter));
    // The second full reading stores the fingerprints of all sales.
    for (let i = 0; i < 2; i++) expect(await replicate("sale", { full: true })).toMatchObject({ outcome: "finished" });
    const localDate = async () => (await records("sale")).find(({ pos_sale_id }) => pos_sale_id === "0").local_date;
    expect(await localDate()).toBe("2025-07-01 00:30:00.000");
    await update({ timezone: "America/Phoenix" });
    await replicate("sale");
    expect(await localDate()).toBe("2025-06-30 23:30:00.000");
  });

  test("ends a run that still uses the earlier time zone", async () => {
    const { update, replicate, records } = await givenConnected("Treez");
    pos.put("customer", plainCustomer("1"), plainCustomer("2"));
    pos.beforePage = async ({ position }) => {
      if (position) await update({ timezone: "America/Los_Angeles" });
    };
    expect(await replicate("customer")).toEqual({ outcome: "lost" });
    pos.beforePage = () => undefined;
    expect(await records("customer")).toHaveLength(1);
    expect(await replicate("customer")).toMatchObject({ outcome: "finished", read: 2 });
  });

  test("requests no replication if files are uploaded or no POS is connected", async () => {
    const { update, due } = await givenConnected(uploadedPosTypes.retail);
    await update({ timezone: "America/Los_Angeles" });
    expect(await due()).toBeUndefined();
    const unconnected = await given();
    expect((await unconnected.update({ timezone: "America/Los_Angeles" })).status).toBe(200);
  });
});

describe("422 is the response", () => {
  test.each<[string, unknown]>([
    ["timezone", "Europe/Vienna"],
    ["street_address", " "],
    ["street_address", "x".repeat(256)],
    ["street_address", "\ud800"],
    ["street_address_2", "x".repeat(256)],
    ["city", "Denver 2"],
    ["city", "   "],
    ["postal_code", "8020"],
    ["country", "Atlantis"],
    ["mailing_state", "ZZ"],
    ["ein", "847654321"],
    ["ein", "84-7654321 "],
    ["phone_number", "303-555-0117"],
    ["website", "nowhere"],
    ["website", "example.com and more"],
    ["website", `example.com/${"x".repeat(2040)}`],
    ["website", "javascript:x@a.com"],
    ["website", "ftp:example.com"],
    ["dba", "High\u202eCountry"],
    ["dba", "https://evil.example"],
    ["established_date", "2015-02-29"],
    ["established_date", "2016-00-10"],
    ["established_date", "2016-02-2912"],
    ["established_date", "2016-02-29T25:00"],
    ["established_date", "1999-01-01"],
    ["ftEmployees", -1],
    ["ptEmployees", 1.5],
    ["monthlyCustomers", 2147483648],
    ["monthlySales", "20000"],
    ["entityType", "LLC"],
    ...["id", "name", "state", "org_type", "business_type", "template_id", "template_result_id", "status"].map(
      (name): [string, unknown] => [name, "x"],
    ),
    ["pos_configs", []],
    ...fields.map(([name]): [string, unknown] => [name, null]),
  ])("to %s = %j", async (name, value) => {
    const { crbId, update, stored } = await given();
    const { status, json } = await update({ city: "Denver", dba: "Never", [name]: value });
    expect([status, Object.keys(json.fields)]).toEqual([422, [`body.${name}`]]);
    expect(await stored()).toEqual(crbRecord(crbId));
  });

  test("with all errors at once", async () => {
    const { update } = await given();
    const { json } = await update({ city: "7", ein: "7", surprise: 7 });
    expect(Object.keys(json.fields).sort()).toEqual(["body.city", "body.ein", "body.surprise"]);
    expect(json.fields["body.ein"]).toEqual({
      message: "must be an employer identification number, ##-#######",
      value: "7",
    });
  });
});
