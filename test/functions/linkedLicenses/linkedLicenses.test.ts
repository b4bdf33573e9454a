import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { listCrbLicenses } from "../../../shared/api/operations/linkedLicenses.ts";
import { linkedLicense } from "../../../shared/api/schemas/linkedLicense.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { readPresent } from "../../../shared/domain/licenses/presentGeneration.ts";
import { compareLinkedLicenses } from "../../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { findEntries, readLicenses } from "../../../shared/domain/linkedLicenses/findLicenses.ts";
import { operator } from "../../../shared/domain/linkedLicenses/link.ts";
import { storeLink } from "../../../shared/domain/linkedLicenses/linkLicense.ts";
import { addOtherCrbs, listLinkedLicenses } from "../../../shared/domain/linkedLicenses/readLinks.ts";
import { unlinkLicense } from "../../../shared/domain/linkedLicenses/unlinkLicense.ts";
import { rebuildCrbList } from "../../../shared/domain/replication/rebuildLists.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { changeCrb, createCrb } from "../../../shared/store/crbs.ts";
import { crbLicensesKey, linkedLicenseKey, linkedLicensesPartition } from "../../../shared/store/keys/licenses.ts";
import { licenseStatusList, recordKey } from "../../../shared/store/keys/orderedLists.ts";
import { hasDifferences } from "../../../shared/store/listRebuild/rebuildList.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { crbRecord } from "../../crbRecord.ts";
import { importRows, licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { letCallsPass } from "../../shared/store/crashInjection.ts";
import { eventsOf } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { type Calls, interceptCalls, TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider, type OperationRequest } from "../callHandler.ts";
import { useCreation, user, valid } from "../crbs/useCreation.ts";

const table = useTestTable();
useTestBucket();
const creation = useCreation(table);

let calls: Calls;
beforeAll(() => {
  calls = interceptCalls(serviceTable());
});

async function givenBusiness() {
  const provider = await givenServiceProvider(table());
  const { call } = provider;
  return {
    ...provider,
    link: (id: string) => call("linkCrbLicense", { path: { license_id: id } }),
    unlink: (id: string) => call("unlinkCrbLicense", { path: { license_id: id } }),
    list: (query: OperationRequest["query"] = {}) => call("listCrbLicenses", { query }),
  };
}

describe("linked licenses", () => {
  test("a license is linked by its id in the search, listed with its record, and unlinked", async () => {
    await importRows([{ number: "A-1", expires_in: 400 }]);
    const business = await givenBusiness();
    const found = await business.call("searchLicenses", { query: { licenseNumber: "a-1" } });
    const [license] = found.json.data;
    const linked = await business.link(license.id);
    expect(linked.status).toBe(200);
    expect(linkedLicense.parse(linked.json)).toEqual(linked.json);
    const today = new Date().toISOString().slice(0, 10);
    expect(linked.json).toEqual({
      ...license,
      status: "active",
      status_date: "2026-01-05",
      linked_date: expect.any(String),
      linked_by: business.clientId,
      linked_by_person: null,
      linked_by_kind: "service_provider",
      holder_matches: "different",
      register_date: today,
    });
    const listed = await business.list();
    expect(listed.json).toEqual({
      metadata: { total: 1, count: "1 - 1" },
      data: [{ ...linked.json, also_linked_to: [] }],
    });
    expect(listCrbLicenses.success.schema.parse(listed.json)).toEqual(listed.json);
    expect((await business.unlink(license.id)).json).toEqual(linked.json);
    expect((await business.list()).json.data).toEqual([]);
    expect((await business.unlink(license.id)).status).toBe(404);
    const events = (await eventsOf(table(), business.spId)).filter(({ type }) => type.startsWith("license."));
    expect(events.map(({ type, crb_id, data }) => [type, crb_id, data])).toEqual([
      [
        "license.linked",
        business.crbId,
        {
          license_id: license.id,
          linked_by: business.clientId,
          linked_by_kind: "service_provider",
          holder_matches: "different",
        },
      ],
      [
        "license.unlinked",
        business.crbId,
        { license_id: license.id, unlinked_by: business.clientId, unlinked_by_kind: "service_provider" },
      ],
    ]);
    expect(await table().queryPartition(linkedLicensesPartition(business.spId))).toEqual([]);
  });

  test("a license that is linked twice stays as it is, and sends one notice of its expiry", async () => {
    await importRows([{ number: "B-1", expires_in: 20 }]);
    const business = await givenBusiness();
    const id = await licenseIdOf("B-1");
    const answers = await Promise.all([business.link(id), business.link(id)]);
    const again = await business.link(id);
    for (const { json } of answers) expect(json).toEqual(again.json);
    expect(again.json.status).toBe("expiring");
    expect((await business.list()).json.metadata.total).toBe(1);
    const events = (await eventsOf(table(), business.spId)).filter(({ type }) => type.startsWith("license."));
    expect(events.map(({ type, crb_id, data }) => [type, crb_id, data.license_id])).toEqual([
      ["license.linked", business.crbId, id],
      ["license.expiring", business.crbId, id],
    ]);
    expect([20, 21]).toContain(events[1]?.data.days);
  });

  test("two service providers link the same license independently", async () => {
    await importRows([{ number: "C-1" }]);
    const id = await licenseIdOf("C-1");
    const [one, other] = [await givenBusiness(), await givenBusiness()];
    await one.link(id);
    expect((await other.list()).json.data).toEqual([]);
    await other.link(id);
    await one.unlink(id);
    expect((await other.list()).json.metadata.total).toBe(1);
  });

  test("another's CRB, an unknown license and a malformed id are rejected", async () => {
    await importRows([{ number: "D-1" }]);
    const id = await licenseIdOf("D-1");
    const [one, other] = [await givenBusiness(), await givenBusiness()];
    const path = { crb_id: other.crbId, license_id: id };
    for (const operation of ["linkCrbLicense", "unlinkCrbLicense", "listCrbLicenses"] as const)
      expect((await one.call(operation, { path })).status).toBe(404);
    expect((await other.list()).json.data).toEqual([]);
    expect((await one.link(`CO-${"x".repeat(22)}`)).status).toBe(404);
    // The same license in the register of another state does not exist.
    expect((await one.link(id.replace("CO-", "OR-"))).status).toBe(404);
    const malformed = await one.link("D-1");
    expect(malformed.status).toBe(422);
    expect(malformed.json.fields).toEqual({
      "path.license_id": { message: "must be the id of a license in searchLicenses", value: "D-1" },
    });
  });

  test("the end of the association removes the links", async () => {
    await importRows([{ number: "F-1" }, { number: "F-2" }]);
    const business = await givenBusiness();
    for (const number of ["F-1", "F-2"]) await business.link(await licenseIdOf(number));
    await endAssociation(table(), serviceBucket(), business.crbId);
    expect(await table().queryPartition(linkedLicensesPartition(business.spId))).toEqual([]);
  });
});

/** A license of the CRBs of these tests (`crbRecord`). */
const own = { licensee: "Test Dispensary LLC" };

describe("the list of CRBs by the status of their licenses", () => {
  async function givenCrbs(count: number) {
    const business = await givenBusiness();
    const { spId, call } = business;
    const more = Array.from({ length: count - 1 }, () => randomUUID());
    for (const id of more) {
      await createCrb(table(), { record: crbRecord(id), serviceProviderId: spId, connection: null });
    }
    const read = async (license_status: string, query: OperationRequest["query"] = {}) => {
      const { json } = await call("listServiceProviderCrbs", { query: { license_status, ...query } });
      return [json.metadata.total, json.data.map(({ id }: { id: string }) => id)];
    };
    const linkTo = async (crb_id: string, number: string) => {
      const path = { crb_id, license_id: await licenseIdOf(number) };
      expect((await call("linkCrbLicense", { path })).status).toBe(200);
    };
    return { ...business, ids: [business.crbId, ...more], read, linkTo };
  }

  test("has each CRB once, the one that changed or got the status last first", async () => {
    await importRows([
      { number: "Z-1", values: own },
      { number: "Z-2", expires_in: 20, values: own },
      { number: "Z-3", expires_in: 30, values: own },
    ]);
    const { ids, call, read, linkTo, unlink } = await givenCrbs(3);
    const [first = "", other = "", unlinked] = ids;
    for (const number of ["Z-1", "Z-2", "Z-3"]) await linkTo(first, number);
    await linkTo(other, "Z-2");
    expect(await read("expiring")).toEqual([2, [other, first]]);
    expect(await read("expiring", { offset: 1 })).toEqual([2, [first]]);
    expect(await read("active")).toEqual([1, [first]]);
    expect(await read("missing")).toEqual([0, []]);
    const { json } = await call("listServiceProviderCrbs");
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([unlinked, other, first]);
    await changeCrb(table(), first, (crb) => ({ ...crb, record: { ...crb.record, ftEmployees: 3 } }));
    expect(await read("expiring")).toEqual([2, [first, other]]);
    expect((await unlink(await licenseIdOf("Z-2"))).status).toBe(200);
    expect(await read("expiring")).toEqual([2, [first, other]]);
    await unlink(await licenseIdOf("Z-3"));
    expect([await read("expiring"), await read("active")]).toEqual([
      [1, [other]],
      [1, [first]],
    ]);
    const rejected = await call("listServiceProviderCrbs", { query: { license_status: "x" } });
    expect([rejected.status, Object.keys(rejected.json.fields)]).toEqual([422, ["query.license_status"]]);
  });

  test("follows time and imports by the comparison", async () => {
    const clock = new TestClock(new Date().toISOString());
    await importRows([{ number: "Y-1", expires_in: 95, values: own }], clock);
    const { crbId, read, linkTo } = await givenCrbs(1);
    await linkTo(crbId, "Y-1");
    expect(await read("active")).toEqual([1, [crbId]]);
    const compare = () => compareLinkedLicenses({ table: serviceTable(), bucket: serviceBucket() }, { clock });
    for (const [days, status] of [
      [10, "expiring"],
      [100, "expired"],
    ] as const) {
      clock.advance(days * 86_400_000);
      await compare();
      for (const each of ["active", "expiring", "expired"]) {
        expect(await read(each), `${each} after ${days} days`).toEqual(each === status ? [1, [crbId]] : [0, []]);
      }
    }
    await importRows([{ number: "Y-1", expires_in: 400, values: own }], clock);
    await compare();
    expect([await read("expired"), await read("active")]).toEqual([
      [0, []],
      [1, [crbId]],
    ]);
  });

  test("counts no license of a different holder, and follows the names of the license and the CRB", async () => {
    const rows = (licensee: string) => [
      { number: "W-1", values: { licensee: "Cedar Partners LLC" } },
      { number: "W-2", values: { licensee: "" } },
      { number: "W-3", values: { licensee }, expires_in: 20 },
    ];
    await importRows(rows("Maple Partners LLC"));
    const { crbId, call, read, linkTo, list } = await givenCrbs(1);
    await linkTo(crbId, "W-1");
    expect(await read("active")).toEqual([0, []]);
    await linkTo(crbId, "W-2");
    expect(await read("active"), "an unknown holder counts").toEqual([1, [crbId]]);
    await linkTo(crbId, "W-3");
    expect(await read("expiring")).toEqual([0, []]);
    const matches = async () =>
      Object.fromEntries(
        (await list()).json.data.map((each: Record<string, string>) => [each.license_identifier, each.holder_matches]),
      );
    expect(await matches()).toEqual({ "W-1": "different", "W-2": null, "W-3": "different" });
    const { status } = await call("updateCrbInfo", { body: { dba: "Maple Partners" } });
    expect(status).toBe(200);
    expect(await matches()).toEqual({ "W-1": "different", "W-2": null, "W-3": "same" });
    expect(await read("expiring")).toEqual([1, [crbId]]);
    await importRows(rows("Juniper Society LLC"));
    await compareLinkedLicenses({ table: serviceTable(), bucket: serviceBucket() });
    expect([await read("expiring"), (await matches())["W-3"]]).toEqual([[0, []], "different"]);
  });

  test("has no CRB whose association has ended", async () => {
    await importRows([{ number: "V-1", values: own }]);
    const { ids, read, linkTo, spId } = await givenCrbs(2);
    for (const id of ids) await linkTo(id, "V-1");
    await endAssociation(table(), serviceBucket(), ids[0] ?? "");
    expect(await read("active")).toEqual([1, [ids[1]]]);
    expect(await table().queryPartition(licenseStatusList(spId, "active").pk)).toHaveLength(1);
  });

  test("is corrected by a rebuild after a restore that kept a part of a transaction", async () => {
    await importRows([
      { number: "U-1", values: own },
      { number: "U-2", expires_in: 20, values: own },
    ]);
    const { ids, read, linkTo, spId } = await givenCrbs(3);
    const [one = "", other = "", third = ""] = ids;
    for (const id of ids) await linkTo(id, "U-1");
    for (const id of ids) await linkTo(id, "U-2");
    const differences = async (isCheck: boolean) => {
      const reports = await Array.fromAsync(rebuildCrbList(table(), spId, { isCheck }));
      return reports.filter(hasDifferences).map(({ list: name }) => name);
    };
    expect(await differences(true)).toEqual([]);
    const active = licenseStatusList(spId, "active");
    await table().delete(recordKey(active, one));
    await table().delete(crbLicensesKey(spId, other));
    await table().delete(linkedLicenseKey(spId, third, await licenseIdOf("U-2")));
    await table().put({ ...recordKey(licenseStatusList(spId, "missing"), third), rank: "2026-01-05#00000000" });
    expect((await differences(true)).sort()).toEqual([
      "crb by license",
      "crb by license active",
      "crb by license missing",
    ]);
    await differences(false);
    expect(await differences(true)).toEqual([]);
    expect([(await read("active"))[0], (await read("expiring"))[0], (await read("missing"))[0]]).toEqual([3, 2, 0]);
    await changeCrb(table(), one, (crb) => ({ ...crb, record: { ...crb.record, ftEmployees: 3 } }));
    expect((await read("active"))[1][0]).toBe(one);
  });

  test("a license in the list of a CRB has the other CRBs of the service provider that it is linked to", async () => {
    await importRows([
      { number: "W-1", values: own },
      { number: "W-2", values: own },
    ]);
    const { ids, linkTo, spId } = await givenCrbs(3);
    const [one = "", other = "", third = ""] = ids;
    for (const id of [one, other]) await linkTo(id, "W-1");
    for (const id of [one, third]) await linkTo(id, "W-2");
    const foreign = await givenCrbs(1);
    await foreign.linkTo(foreign.ids[0] ?? "", "W-1");
    const othersOf = async (crbId: string) => {
      const { licenses } = await listLinkedLicenses(table(), spId, crbId, { offset: 0, limit: 100 });
      const records = await addOtherCrbs(table(), { spId, crbId }, licenses);
      return Object.fromEntries(
        records.map(({ license_identifier, also_linked_to }) => [license_identifier, also_linked_to]),
      );
    };
    expect(await othersOf(one)).toEqual({ "W-1": [other], "W-2": [third] });
    expect(await othersOf(other)).toEqual({ "W-1": [one] });
    await unlinkLicense(table(), { spId, crbId: one, licenseId: await licenseIdOf("W-1") });
    expect(await othersOf(other)).toEqual({ "W-1": [] });
  });
});

describe("the limit of linked licenses", () => {
  test("is a hundred for a CRB, and holds for parallel calls", async () => {
    const numbers = Array.from({ length: 106 }, (_, i) => `T-${i}`);
    await importRows(numbers.map((number) => ({ number })));
    const business = await givenBusiness();
    const { spId, crbId } = business;
    const ids = await Promise.all(numbers.map(licenseIdOf));
    const present = (await readPresent(table(), { consistent: true })) ?? expect.fail();
    const entries = await findEntries(serviceBucket(), present.generation, new Set(ids));
    const licenses = await readLicenses(serviceBucket(), present, entries, new Date());
    for (const licenseId of ids.slice(0, 97)) {
      const registered = licenses.get(licenseId) ?? expect.fail();
      const link = { registered, present, linkedBy: operator };
      await storeLink(table(), { spId, crbId, licenseId }, link, systemClock);
    }
    const answers = await Promise.all(ids.slice(97).map((id) => business.link(id)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.message).toBe(
      "A CRB can have 100 linked licenses. Unlink one of them first.",
    );
    expect((await business.link(ids[5] ?? "")).status).toBe(200);
    const page = (await business.list({ limit: 2, offset: 99 })).json;
    expect(page.metadata).toEqual({ total: 100, count: "100 - 100" });
    expect(page.data[0].license_identifier).toBe("T-0");
    // A removed license makes room for exactly one.
    await business.unlink(ids[0] ?? "");
    const again = await Promise.all(ids.slice(97).map((id) => business.link(id)));
    expect(again.filter(({ status }) => status === 200)).toHaveLength(4);
    expect((await business.list({ limit: 1 })).json.metadata.total).toBe(100);
  });
});

describe("license numbers at the creation of a CRB", () => {
  const body = { ...valid, org: { ...valid.org, name: "Numbers" } };

  test("numbers that exactly one license of the state has are linked, the others are returned", async () => {
    await importRows([
      { number: "G-1", expires_in: 20 },
      { number: "G-2", values: { licensing_authority_name: "City" } },
      { number: "G-2", values: { licensing_authority_name: "State" } },
    ]);
    const { create, call, spId, clientId } = await creation.given();
    const created = await create({ ...body, license_numbers: [" g-1 ", "G-2", "G-3"] });
    expect(created.status).toBe(200);
    expect(created.json.unmatched_licenses).toEqual(["G-2", "G-3"]);
    const path = { crb_id: created.json.id };
    const { data } = (await call("listCrbLicenses", { path })).json;
    expect(data).toMatchObject([{ license_identifier: "G-1", status: "expiring" }]);
    const events = await eventsOf(table(), spId);
    expect(events.filter(({ crb_id }) => crb_id === created.json.id).map(({ type }) => type)).toEqual([
      "crb.created",
      "license.linked",
      "license.expiring",
    ]);
    expect(data[0]).toMatchObject({ linked_by: clientId, linked_by_kind: "service_provider" });
  });

  test("a repeated creation returns the first response and links nothing more", async () => {
    await importRows([{ number: "H-1", expires_in: 20 }]);
    const { create, spId } = await creation.given();
    const sent = { ...body, license_numbers: ["H-1", "H-9"] };
    const first = await create(sent, { "Idempotency-Key": "numbers" });
    await importRows([{ number: "H-1", expires_in: 20 }, { number: "H-9" }]);
    expect((await create(sent, { "Idempotency-Key": "numbers" })).json).toEqual(first.json);
    expect(first.json.unmatched_licenses).toEqual(["H-9"]);
    const events = await eventsOf(table(), spId);
    expect(events.filter(({ type }) => type === "license.expiring")).toHaveLength(1);
  });

  test("ten licenses that expire soon are linked in one transaction with a hundred invitations", async () => {
    const numbers = Array.from({ length: 10 }, (_, i) => `J-${i}`);
    await importRows(numbers.map((number) => ({ number, expires_in: 20 })));
    const { create, call, spId } = await creation.given();
    const users = Array.from({ length: 100 }, (_, i) => ({ ...user, email: `user-${i}@example.com` }));
    const created = await create({ ...body, users, license_numbers: numbers }, { "Idempotency-Key": "many" });
    expect([created.status, created.json.unmatched_licenses]).toEqual([200, []]);
    const path = { crb_id: created.json.id };
    expect((await call("listCrbLicenses", { path })).json.metadata.total).toBe(10);
    const events = await eventsOf(table(), spId);
    expect(events.filter(({ type }) => type === "license.expiring")).toHaveLength(10);
  });

  test("an import that ends during the creation is the one whose licenses are linked", async () => {
    await importRows([{ number: "K-1" }]);
    const { create, call } = await creation.given();
    let isImported = false;
    calls.before = async (command) => {
      if (!command.startsWith("TransactWrite") || isImported) return;
      isImported = true;
      await importRows([{ number: "K-1", status: "Revoked" }]);
    };
    const created = await create({ ...body, license_numbers: ["K-1"] });
    letCallsPass(calls);
    const path = { crb_id: created.json.id };
    expect((await call("listCrbLicenses", { path })).json.data).toMatchObject([{ status: "inactive" }]);
  });

  test("without numbers the response has no list of them; more than ten or empty numbers are rejected", async () => {
    const { create } = await creation.given();
    expect((await create(body)).json).not.toHaveProperty("unmatched_licenses");
    const tooMany = Array.from({ length: 11 }, (_, i) => `N-${i}`);
    expect((await create({ ...body, users: [user], license_numbers: tooMany })).json.fields).toHaveProperty([
      "body.license_numbers",
    ]);
    expect((await create({ ...body, license_numbers: [" "] })).json.fields).toHaveProperty(["body.license_numbers.0"]);
  });
});
