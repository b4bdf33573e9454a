import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { compareLinkedLicenses } from "../../../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { linkLicense } from "../../../../shared/domain/linkedLicenses/linkLicense.ts";
import { removeLinks, unlinkLicense } from "../../../../shared/domain/linkedLicenses/unlinkLicense.ts";
import { serviceTable } from "../../../../shared/store/client.ts";
import { associationKey } from "../../../../shared/store/keys/crbs.ts";
import { comparedLicensesKey, licensesKey, linkedLicenseKey } from "../../../../shared/store/keys/licenses.ts";
import { OutOfTimeError } from "../../../../shared/time/deadline.ts";
import { givenServiceProvider } from "../../../functions/callHandler.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { crashAt, crashPoints, letCallsPass, sides, writesOf } from "../../store/crashInjection.ts";
import { eventsOf } from "../../store/eventLog/eventsUnderTest.ts";
import { type Calls, interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";
import { importRows, type LicenseRow, licenseIdOf } from "./givenLicenses.ts";

const table = useTestTable();
useTestBucket();
let calls: Calls;
beforeAll(() => {
  calls = interceptCalls(serviceTable());
  interceptCalls(serviceBucket(), calls);
});

const day = 86_400_000;
/** Events of past months are not listed any more, so the tests begin today. */
const today = new Date().toISOString().slice(0, 10);
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock(`${today}T12:00:00.000Z`);
  // Each test begins without licenses and links.
  letCallsPass(calls);
  await table().batchDelete([licensesKey, comparedLicensesKey]);
  for (const { spId, crbId } of linkedBefore.splice(0)) await removeLinks(table(), spId, crbId);
});

/** Does something once, before the first transaction. */
function beforeWrite(act: () => Promise<unknown>): void {
  calls.before = async (command) => {
    if (!command.startsWith("TransactWrite")) return;
    letCallsPass(calls);
    await act();
  };
}

/** The businesses of the last test. */
const linkedBefore: { spId: string; crbId: string }[] = [];

const stores = () => ({ table: serviceTable(), bucket: serviceBucket() });
const compare = () => compareLinkedLicenses(stores(), { clock });
const inDays = (days: number) => new Date(Date.parse(today) + days * day).toISOString().slice(0, 10);
const expiring = (number: string, days: number, more: Partial<LicenseRow> = {}): LicenseRow => ({
  number,
  ...more,
  values: { expires_at: inDays(days), ...more.values },
});

/** A business with linked licenses, by number. */
async function givenLinked(...numbers: string[]) {
  const given = await givenServiceProvider(table());
  const { spId, crbId, call } = given;
  linkedBefore.push(given);
  const ids: string[] = [];
  for (const number of numbers) {
    const licenseId = await licenseIdOf(number);
    await linkLicense(stores(), { spId, crbId, licenseId }, clock);
    ids.push(licenseId);
  }
  const licenses = async () => (await call("listCrbLicenses")).json.data;
  const statuses = async () =>
    Object.fromEntries(
      (await licenses()).map((each: Record<string, string>) => [
        each.license_identifier,
        [each.status, each.status_date],
      ]),
    );
  const events = async () =>
    (await eventsOf(table(), spId))
      .filter(({ type }) => type === "license.status.changed" || type === "license.expiring")
      .map(({ type, crb_id, data }) => {
        expect(crb_id).toBe(crbId);
        const { license_id, ...rest } = data;
        const number = numbers[ids.indexOf(String(license_id))];
        return [number, type === "license.expiring" ? rest.days : `${rest.from} to ${rest.to}`];
      });
  return { ...given, ids, licenses, statuses, events };
}

describe("the nightly comparison", () => {
  test("reports an expiry 90, 30 and 7 days ahead and then the lapse, each once", async () => {
    await importRows([expiring("A-1", 100)], clock);
    const { statuses, events } = await givenLinked("A-1");
    expect(await statuses()).toEqual({ "A-1": ["active", "2026-01-05"] });
    const reported: unknown[] = [];
    for (let passed = 1; passed <= 105; passed++) {
      clock.advance(day);
      await compare();
      await compare();
      const all = await events();
      reported.push(...all.slice(reported.length).map(([, what]) => `day ${passed}: ${what}`));
    }
    expect(reported).toEqual([
      "day 10: active to expiring",
      "day 10: 90",
      "day 70: 30",
      "day 93: 7",
      "day 101: expiring to expired",
    ]);
    expect(await statuses()).toEqual({ "A-1": ["expired", inDays(101)] });
  });

  test("sends, after nights without a comparison, one notice with the days that remain", async () => {
    await importRows([expiring("B-1", 100)], clock);
    const { events } = await givenLinked("B-1");
    clock.advance(95 * day);
    await compare();
    expect(await events()).toEqual([
      ["B-1", "active to expiring"],
      ["B-1", 5],
    ]);
  });

  test("a license is valid to the end of its last day in every US time zone", async () => {
    await importRows([expiring("C-1", 0)], clock);
    const { events } = await givenLinked("C-1");
    clock.time = Date.parse(`${inDays(1)}T10:59:00.000Z`);
    await compare();
    expect(await events()).toEqual([["C-1", 0]]);
    clock.time = Date.parse(`${inDays(1)}T11:00:00.000Z`);
    await compare();
    expect((await events()).at(-1)).toEqual(["C-1", "expiring to expired"]);
  });

  test("a renewed license gets the notices of its new expiry", async () => {
    await importRows([expiring("D-1", 20)], clock);
    const { events } = await givenLinked("D-1");
    await importRows([expiring("D-1", 385)], clock);
    await compare();
    clock.advance(356 * day);
    await compare();
    expect(await events()).toEqual([
      ["D-1", 20],
      ["D-1", "expiring to active"],
      ["D-1", "active to expiring"],
      ["D-1", 29],
    ]);
  });

  test("a second comparison of the same generation and day reads no links", async () => {
    await importRows([expiring("E-1", 20)], clock);
    await givenLinked("E-1");
    expect(await compare()).toMatchObject({ changed: 0, events: 0 });
    expect(await compare()).toEqual({ links: 0, changed: 0, events: 0, failures: 0 });
  });

  test("without time left the comparison ends, and the next one continues", async () => {
    await importRows([expiring("F-1", 100)], clock);
    const { events } = await givenLinked("F-1");
    clock.advance(80 * day);
    await expect(compareLinkedLicenses(stores(), { clock, deadline: clock.now() })).rejects.toThrow(OutOfTimeError);
    expect(await events()).toEqual([]);
    await compare();
    expect(await events()).toHaveLength(2);
  });
});

describe("an import", () => {
  test("reports each change of the register's status", async () => {
    await importRows([{ number: "G-1" }], clock);
    const { events, licenses } = await givenLinked("G-1");
    const next = async (status: string) => {
      clock.advance(3_600_000);
      await importRows([{ number: "G-1", status, values: { status_date: "2026-02-20" } }], clock);
      await compare();
      return (await licenses())[0];
    };
    expect(await next("Suspended")).toMatchObject({
      status: "inactive",
      status_date: "2026-02-20",
      reported_license_status: "Suspended",
    });
    expect(await next("Revoked")).toMatchObject({ status: "inactive", reported_license_status: "Revoked" });
    expect((await next("Active")).status).toBe("active");
    expect((await next("Expired")).status).toBe("expired");
    expect((await events()).map(([, what]) => what)).toEqual([
      "active to inactive",
      "inactive to active",
      "active to expired",
    ]);
  });

  test.each(["Active - Litigation Hold", "Delinquent", "Conditional", "A", "Active/Expired"])(
    "reports a license with the status %s as unknown, neither as active nor as lapsed",
    async (status) => {
      await importRows([{ number: "N-1", status }], clock);
      const { events, statuses, licenses } = await givenLinked("N-1");
      expect(await statuses()).toEqual({ "N-1": ["unknown", "2026-01-05"] });
      for (const next of ["Active", status, "Not Active", status]) {
        clock.advance(3_600_000);
        await importRows([{ number: "N-1", status: next }], clock);
        await compare();
      }
      expect((await events()).map(([, what]) => what)).toEqual([
        "unknown to active",
        "active to unknown",
        "unknown to inactive",
        "inactive to unknown",
      ]);
      expect((await licenses())[0]).toMatchObject({ status: "unknown", reported_license_status: status });
    },
  );

  test("a license with an unknown status gets the notices of its expiry, and expires", async () => {
    await importRows([expiring("O-1", 100, { status: "Administrative Hold" })], clock);
    const { events } = await givenLinked("O-1");
    for (let passed = 1; passed <= 101; passed++) {
      clock.advance(day);
      await compare();
    }
    expect((await events()).map(([, what]) => what)).toEqual([90, 30, 7, "unknown to expired"]);
  });

  test("a license that disappears from its register is missing, and its return is reported", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({ number: `H-${i}` }));
    await importRows(rows, clock);
    const { events, licenses, statuses } = await givenLinked("H-0");
    clock.advance(day);
    expect(await importRows(rows.slice(1), clock)).toMatchObject({ missing: 1, unconfirmed: 0 });
    await compare();
    expect(await statuses()).toEqual({ "H-0": ["missing", inDays(1)] });
    clock.advance(day);
    expect(await importRows(rows.slice(1), clock)).toMatchObject({ missing: 0 });
    await compare();
    expect(await statuses()).toEqual({ "H-0": ["missing", inDays(1)] });
    expect((await licenses())[0].register_date).toBe(inDays(2));
    await importRows(rows, clock);
    await compare();
    expect((await events()).map(([, what]) => what)).toEqual(["active to missing", "missing to active"]);
  });

  test("licenses that a suddenly shrunk register lacks are missing only after an import on a later day", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({ number: `I-${i}` }));
    await importRows(rows, clock);
    const { events } = await givenLinked("I-0");
    clock.advance(day);
    for (let repeated = 0; repeated < 2; repeated++) {
      expect(await importRows(rows.slice(30), clock)).toMatchObject({ missing: 0, unconfirmed: 30 });
      await compare();
    }
    expect(await events()).toEqual([]);
    clock.advance(day);
    // The full file returns ten licenses; the others stay absent.
    expect(await importRows(rows.slice(20), clock)).toMatchObject({ missing: 20, unconfirmed: 0 });
    await compare();
    expect((await events()).map(([, what]) => what)).toEqual(["active to missing"]);
  });

  test("a row that is rejected or cannot be read makes no license missing", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({ number: `J-${i}` }));
    await importRows(rows, clock);
    const { events } = await givenLinked("J-0");
    clock.advance(day);
    const rejected = { number: "J-0", values: { status_date: "unknown" } };
    expect(await importRows([rejected, ...rows.slice(1)], clock)).toMatchObject({ missing: 0, unconfirmed: 0 });
    const unreadable = { number: "", values: { licensee: "" } };
    expect(await importRows([unreadable, ...rows.slice(1)], clock)).toMatchObject({ missing: 0, unconfirmed: 1 });
    await compare();
    expect(await events()).toEqual([]);
  });

  test("one part of a register makes no license of another part missing", async () => {
    await importRows([{ number: "K-1" }], clock, "stores");
    await importRows([{ number: "K-2" }], clock, "farms");
    const { events, statuses } = await givenLinked("K-1", "K-2");
    clock.advance(day);
    expect(await importRows([{ number: "K-3" }], clock, "stores")).toMatchObject({ missing: 1 });
    await compare();
    expect(await events()).toEqual([["K-1", "active to missing"]]);
    // A license that moves to the other part is present again.
    await importRows([{ number: "K-1" }, { number: "K-2" }], clock, "farms");
    await compare();
    expect(await statuses()).toMatchObject({ "K-1": ["active", "2026-01-05"], "K-2": ["active", "2026-01-05"] });
  });
});

describe("concurrent and interrupted work", () => {
  /** Three links whose statuses one import and one night change. */
  async function givenLinks(daysOfY = 95) {
    const rows = Array.from({ length: 40 }, (_, i) => ({ number: `L-${i}` }));
    await importRows([...rows, expiring("L-X", 100), expiring("L-Y", daysOfY)], clock);
    const given = await givenLinked("L-0", "L-X", "L-Y");
    clock.advance(10 * day);
    const changed = [...rows.slice(1), expiring("L-X", 100), expiring("L-Y", daysOfY, { status: "Suspended" })];
    const expected = [
      ["L-0", "active to missing"],
      ["L-X", "active to expiring"],
      ["L-X", 90],
      ["L-Y", "active to inactive"],
    ];
    const sorted = async () => (await given.events()).map(String).sort();
    return { ...given, sorted, expected: expected.map(String).sort(), changed };
  }

  /** The same links, after the import. */
  async function givenChange() {
    const given = await givenLinks();
    await importRows(given.changed, clock);
    return given;
  }

  test("two comparisons at once report each change once", async () => {
    const { sorted, expected } = await givenChange();
    await Promise.all([compare(), compare(), compare()]);
    expect(await sorted()).toEqual(expected);
  });

  test("a comparison that is killed at any write reports each change once when it runs again", async () => {
    const first = await givenChange();
    const count = await writesOf(calls, compare);
    expect(await first.sorted()).toEqual(first.expected);
    expect(count).toBeGreaterThan(3);
    for (const write of crashPoints(count)) {
      for (const side of sides) {
        clock = new TestClock(`${today}T12:00:00.000Z`);
        await table().batchDelete([licensesKey, comparedLicensesKey]);
        const { sorted, expected } = await givenChange();
        crashAt(calls, write, side);
        await compare().catch(() => undefined);
        letCallsPass(calls);
        await compare();
        expect(await sorted(), `killed ${side} write ${write}`).toEqual(expected);
      }
    }
  });

  test("an import that is killed at any write reports each change once when it runs again", async () => {
    const first = await givenLinks(300);
    const importAndCompare = async (rows: readonly LicenseRow[]) => {
      await importRows(rows, clock);
      await compare();
    };
    const count = await writesOf(calls, () => importAndCompare(first.changed));
    expect(await first.sorted()).toEqual(first.expected);
    expect(count).toBeGreaterThan(6);
    for (const write of crashPoints(count)) {
      for (const side of sides) {
        clock = new TestClock(`${today}T12:00:00.000Z`);
        await table().batchDelete([licensesKey, comparedLicensesKey]);
        const { sorted, expected, changed } = await givenLinks(300);
        crashAt(calls, write, side);
        await importAndCompare(changed).catch(() => undefined);
        letCallsPass(calls);
        // The nightly comparison may come before the operator repeats the import.
        await compare();
        expect(expected, `killed ${side} write ${write}`).toEqual(expect.arrayContaining(await sorted()));
        await importAndCompare(changed);
        await importAndCompare(changed);
        expect(await sorted(), `killed ${side} write ${write}`).toEqual(expected);
      }
    }
  });

  test("two service providers of one business each get each change once, and only their own", async () => {
    await importRows([expiring("M-1", 100)], clock);
    const [one, other] = [await givenLinked("M-1"), await givenLinked("M-1")];
    await unlinkLicense(serviceTable(), { ...other, licenseId: other.ids[0] ?? "" }, clock);
    await linkLicense(stores(), { ...other, licenseId: other.ids[0] ?? "" }, clock);
    clock.advance(10 * day);
    await Promise.all([compare(), compare()]);
    for (const { events } of [one, other]) {
      expect(await events()).toEqual([
        ["M-1", "active to expiring"],
        ["M-1", 90],
      ]);
    }
  });

  test("a link that cannot be stored keeps no other from being compared, and the next comparison tries it again", async () => {
    const { spId, crbId, ids, sorted, expected } = await givenChange();
    const { sk } = linkedLicenseKey(spId, crbId, ids[1] ?? "");
    calls.before = (command, input) => {
      if (!command.startsWith("TransactWrite") || !JSON.stringify(input).includes(sk)) return;
      throw new Error("rejected");
    };
    expect(await compare()).toMatchObject({ links: 3, changed: 2, failures: 1 });
    letCallsPass(calls);
    expect(await sorted()).toEqual(expected.filter((text) => !text.startsWith("L-X")));
    expect(await compare()).toMatchObject({ links: 3, changed: 1, failures: 0 });
    expect(await sorted()).toEqual(expected);
  });

  test("nothing is reported once the association has ended, even before the links are deleted", async () => {
    const { spId, crbId, sorted } = await givenChange();
    beforeWrite(() => serviceTable().delete(associationKey(spId, crbId)));
    expect(await compare()).toEqual({ links: 3, changed: 0, events: 0, failures: 0 });
    expect(await sorted()).toEqual([]);
  });

  test("a license that is unlinked meanwhile stays unlinked and is not reported", async () => {
    const { spId, crbId, ids, sorted, expected } = await givenChange();
    beforeWrite(() => unlinkLicense(serviceTable(), { spId, crbId, licenseId: ids[0] ?? "" }, clock));
    await compare();
    expect(await sorted()).toEqual(expected.filter((text) => !text.startsWith("L-0")));
  });

  test("an import that ends during the comparison or the linking is compared too", async () => {
    const { call, sorted, expected } = await givenChange();
    beforeWrite(() => importRows([{ number: "L-0" }], clock));
    await compare();
    // The import has returned the license before it was reported as missing.
    expect(await sorted()).toEqual(expected.filter((text) => !text.startsWith("L-0")));

    const license_id = await licenseIdOf("L-1");
    beforeWrite(() => importRows([{ number: "L-1", status: "Revoked" }], clock));
    const linked = await call("linkCrbLicense", { path: { license_id } });
    expect(linked.json).toMatchObject({ status: "inactive", reported_license_status: "Revoked" });
  });
});
