import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type EventType, eventTypes } from "../../../shared/api/enumerations.ts";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { exampleIds } from "../../../shared/api/operations/examples.ts";
import type { Insight } from "../../../shared/api/schemas/insight.ts";
import { setCredentialKeys } from "../../../shared/auth/credentialKeys.ts";
import { listCredentials } from "../../../shared/auth/credentials.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { accessFiles } from "../../../shared/domain/accessLog/accessFiles.ts";
import { announceExpiries } from "../../../shared/domain/crbs/announceExpiries.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { setCashCount } from "../../../shared/domain/deposits/cashCounts.ts";
import { storeDeposits } from "../../../shared/domain/deposits/storeDeposits.ts";
import { sweepReconciliations } from "../../../shared/domain/deposits/sweepReconciliations.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { createExport } from "../../../shared/domain/exports/createExport.ts";
import { type ExportEnd, endExport } from "../../../shared/domain/exports/endExport.ts";
import { runExport } from "../../../shared/domain/exports/runExport.ts";
import { setIdentityProvider } from "../../../shared/domain/identityProviders/setIdentityProvider.ts";
import { readSettings } from "../../../shared/domain/identityProviders/storedIdentityProvider.ts";
import { computeInsights } from "../../../shared/domain/insights/computeInsights.ts";
import { decideInsight } from "../../../shared/domain/insights/decideInsight.ts";
import { endInvitation } from "../../../shared/domain/invitations/endInvitation.ts";
import { sendInvitations } from "../../../shared/domain/invitations/sendInvitations.ts";
import { compareLinkedLicenses } from "../../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { linkLicense } from "../../../shared/domain/linkedLicenses/linkLicense.ts";
import { licenseDay } from "../../../shared/domain/linkedLicenses/linkStatus.ts";
import { unlinkLicense } from "../../../shared/domain/linkedLicenses/unlinkLicense.ts";
import { withdrawConsent } from "../../../shared/domain/onboarding/consent.ts";
import { moveOnboarding } from "../../../shared/domain/onboarding/statusChange.ts";
import { terms } from "../../../shared/domain/onboarding/terms.ts";
import { eraseCustomer } from "../../../shared/domain/replication/eraseCustomer.ts";
import { replicateCrb } from "../../../shared/domain/replication/replicateCrb.ts";
import { createStatement } from "../../../shared/domain/statements/createStatement.ts";
import { endStatement } from "../../../shared/domain/statements/endStatement.ts";
import { runStatement } from "../../../shared/domain/statements/runStatement.ts";
import { readStatement } from "../../../shared/domain/statements/storedStatement.ts";
import { sweepStateConnections } from "../../../shared/domain/stateSystems/sweepStateConnections.ts";
import { createEndpoint } from "../../../shared/domain/webhooks/createEndpoint.ts";
import { deliverShard } from "../../../shared/domain/webhooks/deliverShard.ts";
import { PosError } from "../../../shared/pos/connector.ts";
import type { PosSale } from "../../../shared/pos/posRecords.ts";
import { unpaced } from "../../../shared/pos/testEndpoints.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { changeCrb } from "../../../shared/store/crbs.ts";
import { commitWithEvents } from "../../../shared/store/eventLog/commitWithEvents.ts";
import { shardOf } from "../../../shared/store/eventLog/shards.ts";
import { followChanges } from "../../../shared/store/followChanges.ts";
import { insightsPartition } from "../../../shared/store/keys/insights.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { announcedKey, posTypeKey } from "../../../shared/store/keys/replication.ts";
import { webhookPositionKey } from "../../../shared/store/keys/webhooks.ts";
import { formatDigest } from "../../../shared/store/recordDigest.ts";
import { readSalesWeeks } from "../../../shared/store/salesDays/salesWeek.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { newProgramKey } from "../../programKeys.ts";
import { daysFrom, storeSalesDays } from "../../shared/domain/deposits/givenDays.ts";
import { importRows, licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { plainCustomer, plainSale, ScriptedPos } from "../../shared/domain/replication/scriptedPos.ts";
import { givenStateConnection, storeEqualDays } from "../../shared/domain/stateSystems/givenStateConnection.ts";
import { FakeMetrc } from "../../shared/pos/fakes/fakeMetrc.ts";
import { crashAt, crashPoints, letCallsPass, sides, writesOf } from "../../shared/store/crashInjection.ts";
import type { ReceivedEvent } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { type Calls, interceptCalls, TestClock } from "../../shared/store/orderedList/listUnderTest.ts";
import { isThorough, sampleCases } from "../../thorough.ts";
import { useMailbox } from "../../useMailbox.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { useCreation, valid } from "../crbs/useCreation.ts";
import { givenDepositor } from "../deposits/callDeposits.ts";
import { givenInvited, storeInvitation, termsEnvironment } from "../onboarding/givenInvited.ts";
import { givenOnboarding } from "../onboarding/givenOnboarding.ts";

const table = useTestTable();
useTestBucket();
const creation = useCreation(table);
const { outage } = useMailbox();

let calls: Calls;
beforeAll(() => {
  calls = interceptCalls(serviceTable());
});

/** An occurrence, and the events that must report it. */
interface Occurrence {
  spId: string;
  call: Awaited<ReturnType<typeof givenOnboarding>>["call"];
  clock: TestClock;
  /** causes the occurrence; called once more after a process has died during it */
  act: () => Promise<unknown>;
  /** the expected data of all events of the type, taken from the stored state */
  expected: () => Promise<object[]> | object[];
}

async function givenCrb() {
  const given = await givenOnboarding(table());
  const clock = new TestClock(new Date().toISOString());
  const ignoring = (work: () => Promise<unknown>) => () => work().catch(() => undefined);
  return { ...given, clock, ignoring };
}

/** A CRB whose POS has some customers. */
async function givenConnected() {
  const given = await givenCrb();
  const { crbId, clock } = given;
  const connection = { posType: "Treez", locationId: null, connectedAt: clock.now().toISOString() } as const;
  const config = { name: connection.posType, updated_date: connection.connectedAt, status: "Connected" } as const;
  await changeCrb(table(), crbId, ({ record, ...crb }) => ({
    ...crb,
    record: { ...record, pos_configs: [config] },
    connection,
  }));
  const pos = new ScriptedPos(2);
  pos.put("customer", ...["1", "2", "3"].map((id) => plainCustomer(id)));
  const replicate = async (kind: RecordKind = "customer") => {
    // The lease of a killed worker expires.
    clock.advance(61_000);
    const deadline = new Date(clock.time + 600_000);
    await replicateCrb(serviceTable(), { crb_id: crbId, kind }, { deadline, clock, connectorOf: () => pos });
  };
  return { ...given, pos, replicate };
}

/** A CRB whose POS has sales of two past days. */
async function givenSales() {
  const given = await givenConnected();
  const { time } = given.clock;
  const daysAgo = (days: number) => new Date(time - days * 86_400_000).toISOString();
  const sell = (id: string, days: number, version = 0) =>
    given.pos.put("sale", plainSale(id, version, daysAgo(days), null));
  sell("1", 3);
  sell("2", 3);
  sell("3", 4);
  const { totalsPartition = "" } = recordList(given.crbId, "sale");
  const storedDays = async () => (await readSalesWeeks(table(), totalsPartition)).flatMap(({ days }) => [...days]);
  return { ...given, sell, storedDays };
}

/** A CRB that has sold more than an adult may buy in Colorado. */
async function givenFlaggedSale() {
  const given = await givenSales();
  const sell = (grams: number, version: number) => {
    const plain = plainSale("9", version, new Date(given.clock.time - 3 * 86_400_000).toISOString(), "9");
    const lines = plain.line_items.map((line) => ({ ...line, product_type: "flower" as const, grams }));
    given.pos.put("sale", { ...plain, tax_paid: 100, line_items: lines } as PosSale);
  };
  sell(35, 0);
  await given.replicate("sale");
  const act = () => computeInsights(serviceTable(), given.crbId, { clock: given.clock });
  const expected = async () => {
    const items = await table().queryPartition(insightsPartition(given.crbId), { consistent: true });
    const insights = items.flatMap(({ insight }) => (insight ? [JSON.parse(insight as string) as Insight] : []));
    expect(insights).toHaveLength(1);
    return insights.map(({ id, code }) => ({ insight_id: id, code }));
  };
  return { ...given, sell, act, expected };
}

/** A CRB, and a license that no CRB has. */
async function givenUnlinked() {
  const given = await givenCrb();
  const { spId, crbId } = given;
  const number = `R-${randomUUID()}`;
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  await importRows([{ number }]);
  const licenseId = await licenseIdOf(number);
  return { ...given, stores, number, licenseId, link: { spId, crbId, licenseId } };
}

/** A CRB with a linked license. */
async function givenLicense() {
  const given = await givenUnlinked();
  await linkLicense(given.stores, given.link, given.clock);
  return given;
}

/** A CRB with an invitation. */
async function givenInvitation() {
  const given = await givenCrb();
  const invitation_id = await storeInvitation(table(), given.crbId);
  const send = async () => {
    given.clock.advance(6 * 60_000);
    await sendInvitations(serviceTable(), given.crbId, given.clock);
  };
  return { ...given, send, eventData: { invitation_id } };
}

/** A CRB with an export. */
async function givenExport() {
  const given = await givenCrb();
  const { spId, crbId, clock } = given;
  const body = { kinds: ["sales" as const], format: "ndjson" as const };
  const { id } = await createExport(table(), { spId, crbId, body, createdBy: null }, clock);
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const run = () => {
    // The lease of a killed worker expires.
    clock.advance(3_600_000);
    const deadline = new Date(clock.time + 600_000);
    return runExport(stores, { crb_id: crbId, export_id: id }, { deadline, clock });
  };
  const end = (how: ExportEnd) => endExport(stores, crbId, id, how, clock);
  return { ...given, id, run, end };
}

/** A statement of a CRB. */
async function givenStatement() {
  const given = await givenCrb();
  const { spId, crbId, clock } = given;
  const body = { start_date: "2026-03-01", end_date: "2026-03-02", format: "json" as const };
  const { id } = await createStatement(serviceTable(), { spId, crbId, body, by: { clientId: null } }, clock);
  const read = async () => (await readStatement(serviceTable(), crbId, id, clock.now())) ?? expect.fail();
  const accessLog = accessFiles(mkdtempSync(join(tmpdir(), "access-log-")));
  const run = () => {
    // The lease of a killed worker expires.
    clock.advance(3_600_000);
    const deadline = new Date(clock.time + 600_000);
    const intervals = { customer: 60, product: 60, location: 60, inventory: 60, sale: 60 };
    const stores = { table: serviceTable(), bucket: serviceBucket(), accessLog };
    return runStatement(stores, { crb_id: crbId, statement_id: id }, { deadline, clock, intervals });
  };
  return { ...given, id, read, run };
}

/** A CRB with invited users. */
async function givenUser() {
  const given = await givenInvited(table());
  return { ...given, clock: new TestClock(new Date().toISOString()) };
}

/** A CRB with an upload that has arrived. */
async function givenUpload() {
  const given = await givenCrb();
  const file = { file_name: "note.txt", file_type: "text/plain", size: 1 };
  const { json } = await given.call("createDocumentUpload", { body: file });
  await fetch(json.upload_link, {
    method: "PUT",
    body: "x",
    headers: { "Content-Type": "text/plain", "If-None-Match": "*" },
  });
  const path = { document_id: json.document_id };
  const add = () => given.call("completeDocumentUpload", { path });
  return { ...given, add, document: { document_id: json.document_id, requirement_id: given.requirementId } };
}

const occurrences: Partial<Record<EventType, () => Promise<Occurrence>>> = {
  "statement.ready": async () => {
    const { id, read, run, ...given } = await givenStatement();
    return { ...given, act: run, expected: async () => [{ statement_id: id, sha256: (await read()).sha256 }] };
  },
  "statement.failed": async () => {
    const { id, read, ...given } = await givenStatement();
    const act = async () => {
      const stored = await read();
      if (stored.status === "queued") await endStatement(serviceTable(), stored, "unexpected", given.clock);
    };
    return { ...given, act, expected: () => [{ statement_id: id, error: "unexpected" }] };
  },
  "export.ready": async () => {
    const { id, run, ...given } = await givenExport();
    return { ...given, act: run, expected: () => [{ export_id: id }] };
  },
  "export.failed": async () => {
    const { id, end, ...given } = await givenExport();
    const act = () => end({ status: "failed", error: "unexpected" });
    return { ...given, act, expected: () => [{ export_id: id, error: "unexpected" }] };
  },
  "export.deleted": async () => {
    const { id, end, ...given } = await givenExport();
    const act = () => end({ status: "deleted", reason: "erasure" });
    return { ...given, act, expected: () => [{ export_id: id, reason: "erasure" }] };
  },
  "crb.created": async () => {
    const { spId, create, call, listed } = await creation.given();
    const key = { "Idempotency-Key": randomUUID() };
    return {
      spId,
      call,
      clock: new TestClock(new Date().toISOString()),
      act: () => create(valid, key),
      expected: async () => (await listed()).map(() => ({})),
    };
  },
  "crb.updated": async () => {
    const given = await givenCrb();
    const act = () => given.call("updateCrbInfo", { body: { ftEmployees: 7 } });
    return { ...given, act, expected: () => [{}] };
  },
  "crb.status.changed": async () => {
    const given = await givenCrb();
    const act = () => moveOnboarding(serviceTable(), given.crbId, "pause", given.clock);
    return { ...given, act, expected: () => [{ from: "svc_approved", to: "bank_disconnected" }] };
  },
  "crb.association.ended": async () => {
    const given = await givenConnected();
    const act = () => endAssociation(serviceTable(), serviceBucket(), given.crbId, given.clock);
    return { ...given, act, expected: () => [{}] };
  },
  "pos.status.changed": async () => {
    const given = await givenConnected();
    // Without rejections of other businesses, the fault is this business's own.
    await table().delete(posTypeKey("Treez"));
    // The second rejection confirms the first.
    const refusing = () => {
      throw new PosError("credentialsRefused");
    };
    given.pos.beforePage = refusing;
    await given.replicate().catch(() => undefined);
    const act = async () => {
      await given.replicate();
      await given.replicate();
    };
    const before = [{ pos_type: "Treez", from: null, to: "Connected" }];
    return {
      ...given,
      act,
      expected: () => [...before, { pos_type: "Treez", from: "Connected", to: "Needs Attention" }],
    };
  },
  "records.changed": async () => {
    const given = await givenConnected();
    const act = given.replicate;
    const list = recordList(given.crbId, "customer");
    const expected = async () => {
      const { places } = await followChanges(table(), list, { limit: 10 });
      expect(places).toHaveLength(3);
      const announced = await table().get(announcedKey(given.crbId, "customer"), { consistent: true });
      expect(announced?.head).toBe(places.at(-1)?.rank);
      // A killed run may have announced a part. Each event begins where the one before ended.
      const all = await eventsOf(given, "records.changed");
      expect(all.length).toBeLessThanOrEqual(2);
      const begins = await Promise.all(
        all.map(async ({ data }) => {
          const cursor = String(data.cursor_before);
          return 3 - (await followChanges(table(), list, { cursor, limit: 10 })).places.length;
        }),
      );
      expect(begins).toEqual(all.length === 1 ? [0] : [0, 2]);
      return all.map(({ data }) => ({ kind: "customers", cursor_before: data.cursor_before }));
    };
    return { ...given, act, expected };
  },
  "replication.initial_sync.completed": async () => {
    const given = await givenConnected();
    const act = async () => {
      await given.replicate();
      await given.replicate();
    };
    return { ...given, act, expected: () => [{ kind: "customers" }] };
  },
  "records.erased": async () => {
    const given = await givenConnected();
    await given.replicate();
    const [customer = expect.fail()] = await table().queryPartition(recordList(given.crbId, "customer").pk);
    const act = async () => {
      given.clock.advance(61_000);
      await eraseCustomer(serviceTable(), given.crbId, customer.sk, { clock: given.clock });
    };
    return { ...given, act, expected: () => [{ kind: "customers", record_id: customer.sk }] };
  },
  "insight.raised": async () => {
    const { act, expected, ...given } = await givenFlaggedSale();
    return { ...given, act, expected };
  },
  "insight.withdrawn": async () => {
    const { act, expected, sell, ...given } = await givenFlaggedSale();
    await act();
    sell(3.5, 1);
    await given.replicate("sale");
    return { ...given, act, expected };
  },
  "insight.decided": async () => {
    const { act: raise, expected, ...given } = await givenFlaggedSale();
    await raise();
    const [{ insight_id } = expect.fail()] = await expected();
    const body = { status: "explained", note: "A mistyped weight.", revision: 1 } as const;
    const act = () =>
      decideInsight(
        serviceTable(),
        { sp_id: given.spId, insight_id },
        body,
        { clientId: exampleIds.issuer },
        given.clock,
      );
    return { ...given, act, expected: () => [{ insight_id, code: "flagged_sale", status: "explained" }] };
  },
  "sales_day.completed": async () => {
    const given = await givenSales();
    const act = () => given.replicate("sale");
    const expected = async () => {
      const complete = (await given.storedDays()).filter(([, { completedAt }]) => completedAt !== null);
      expect(complete.length).toBeGreaterThan(1);
      return complete.map(([date, { figures, digest }]) => {
        const { records, total_paid } = figures;
        return { date, records, total_paid, digest: formatDigest(digest) };
      });
    };
    return { ...given, act, expected };
  },
  "sales_day.revised": async () => {
    const given = await givenSales();
    await given.replicate("sale");
    const act = async () => {
      given.sell("1", 3, 1);
      await given.replicate("sale");
    };
    const expected = async () => {
      const revised = (await given.storedDays()).filter(([, { revision }]) => revision > 0);
      expect(revised).toHaveLength(1);
      return revised.map(([date, { revision }]) => ({ date, revision }));
    };
    return { ...given, act, expected };
  },
  // An adult-use sale without tax gets a warning.
  "sales_day.flagged": async () => {
    const given = await givenSales();
    const act = () => given.replicate("sale");
    const expected = async () => {
      const flagged = (await given.storedDays()).filter(([, { figures }]) => figures["warning.count"]);
      expect(flagged.length).toBeGreaterThan(1);
      return flagged.map(([date, { figures }]) => ({ date, red_flag: 0, warning: figures["warning.count"] }));
    };
    return { ...given, act, expected };
  },
  "reconciliation_day.exceeded": async () => {
    const given = { ...(await givenDepositor(table())), clock: new TestClock(new Date().toISOString()) };
    const dates = daysFrom("2026-02-02", 4);
    await storeSalesDays(
      table(),
      given.crbId,
      Object.fromEntries(dates.map((day) => [day, { cash: 100 }])),
      "2026-02-04",
    );
    await setCashCount(table(), given, { date: "2026-02-02", amount: 0 });
    await storeDeposits(table(), given, [{ id: "1", posted_date: "2026-02-03", amount: 900_000, type: "cash" }]);
    const act = () => sweepReconciliations(serviceTable());
    // The last day is not complete.
    const expected = () => ["2026-02-03", "2026-02-04"].map((date) => ({ date, status: "deposits_unexplained" }));
    return { ...given, act, expected };
  },
  "state_day.varied": async () => {
    const given = await givenCrb();
    const { crbId, clock } = given;
    const metrc = new FakeMetrc(1, () => clock.now());
    onTestFinished(() => metrc.close());
    await metrc.start();
    metrc.fill(12, 3);
    vi.stubEnv("METRC_VENDOR_KEY_CO", metrc.access.vendorKey);
    await givenStateConnection(table(), given, metrc.access);
    const until = addDays(localDay(clock.now(), "America/Denver"), -1);
    await storeEqualDays(table(), crbId, { metrc, until, count: 11 }, { [until]: 50_000 });
    const act = () => {
      // The reading of a killed sweeper is over after this time.
      clock.advance(21 * 60_000);
      return sweepStateConnections(serviceTable(), { clock, metrc: { url: metrc.url, ...unpaced } });
    };
    return { ...given, act, expected: () => [{ date: until }] };
  },
  "reconciliation_day.revised": async () => {
    const given = { ...(await givenDepositor(table())), clock: new TestClock(new Date().toISOString()) };
    await storeSalesDays(
      table(),
      given.crbId,
      { "2026-02-02": { cash: 100 }, "2026-02-03": { cash: 100 } },
      "2026-02-02",
    );
    await setCashCount(table(), given, { date: "2026-02-02", amount: 0 });
    await sweepReconciliations(table());
    const act = async () => {
      const deposits = ["2026-02-02", "2026-02-03"].map((posted_date, i) => ({ id: `${i}`, posted_date, amount: 5 }));
      await storeDeposits(
        serviceTable(),
        given,
        deposits.map((deposit) => ({ ...deposit, type: "cash" })),
      );
      await sweepReconciliations(serviceTable());
    };
    return { ...given, act, expected: () => [{ date: "2026-02-02", revision: 2 }] };
  },
  "license.linked": async () => {
    const given = await givenUnlinked();
    const by = { kind: "service_provider", id: given.clientId } as const;
    const act = () => linkLicense(given.stores, { ...given.link, by }, given.clock);
    const eventData = {
      license_id: given.licenseId,
      linked_by: given.clientId,
      linked_by_kind: "service_provider",
      holder_matches: "different",
    };
    return { ...given, act, expected: () => [eventData] };
  },
  "license.unlinked": async () => {
    const given = await givenLicense();
    const act = () => unlinkLicense(serviceTable(), given.link, given.clock);
    const eventData = { license_id: given.licenseId, unlinked_by: null, unlinked_by_kind: "operator" };
    return { ...given, act, expected: () => [eventData] };
  },
  "license.status.changed": async () => {
    const given = await givenLicense();
    await importRows([{ number: given.number, status: "Suspended" }]);
    const act = () => compareLinkedLicenses(given.stores, { clock: given.clock });
    return { ...given, act, expected: () => [{ license_id: given.licenseId, from: "active", to: "inactive" }] };
  },
  "license.expiring": async () => {
    const given = await givenLicense();
    const today = licenseDay(given.clock.now());
    await importRows([{ number: given.number, values: { expires_at: addDays(today, 20) } }]);
    const act = () => compareLinkedLicenses(given.stores, { clock: given.clock });
    return { ...given, act, expected: () => [{ license_id: given.licenseId, days: 20 }] };
  },
  "document.added": async () => {
    const given = await givenUpload();
    return { ...given, act: given.add, expected: () => [given.document] };
  },
  "document.status.changed": async () => {
    const given = await givenUpload();
    await given.add();
    const act = () => given.review(given.document.document_id, "approved");
    return { ...given, act, expected: () => [{ ...given.document, from: "pending", to: "approved" }] };
  },
  "document.deleted": async () => {
    const given = await givenUpload();
    await given.add();
    return { ...given, act: () => given.remove(given.document.document_id), expected: () => [given.document] };
  },
  "invitation.sent": async () => {
    const given = await givenInvitation();
    return { ...given, act: given.send, expected: () => [given.eventData] };
  },
  "invitation.failed": async () => {
    const given = await givenInvitation();
    await given.send();
    const end = (why: "bounced" | "complained") =>
      endInvitation(serviceTable(), given.crbId, given.eventData.invitation_id, why, new Date().toISOString());
    const act = async () => {
      await end("bounced");
      await end("complained");
    };
    return { ...given, act, expected: () => [given.eventData] };
  },
  "onboarding.consent.given": async () => {
    const given = await givenUser();
    const { robin } = given;
    const eventData = { terms_version: terms().version, invitation_id: robin.id };
    return { ...given, act: () => robin.consent(), expected: () => [eventData] };
  },
  "onboarding.consent.withdrawn": async () => {
    const given = await givenUser();
    const { robin } = given;
    expect((await robin.consent()).status).toBe(200);
    return { ...given, act: () => robin.withdraw(), expected: () => [{ invitation_id: robin.id }] };
  },
  "onboarding.submitted": async () => {
    const given = await givenUser();
    const { crbId, robin, requirementId } = given;
    expect((await robin.consent()).status).toBe(200);
    expect((await robin.add(requirementId)).status).toBe(200);
    await changeCrb(table(), crbId, (crb) => ({ ...crb, usesFiles: true }));
    return { ...given, act: () => robin.submit(), expected: () => [{ invitation_id: robin.id }] };
  },
  "credential.created": async () => {
    const given = await givenCrb();
    const act = () => given.call("createCrbAccess");
    const expected = async () =>
      (await listCredentials(table(), given.spId)).map(({ client_id }) => ({ client_id })).reverse();
    return { ...given, act, expected };
  },
  "credential.revoked": async () => {
    const given = await givenCrb();
    const { json } = await given.call("createCrbAccess");
    const { secret: authorization } = await given.another(["service-provider:read"]);
    const call: Occurrence["call"] = (operationId, request) => given.call(operationId, { authorization, ...request });
    const act = () => revokeCredential(serviceTable(), given.clientId, {}, given.clock);
    return { ...given, call, act, expected: () => [{ client_id: given.clientId }, { client_id: json.client_id }] };
  },
  "credential.changed": async () => {
    const given = await givenCrb();
    const { spId, clientId } = given;
    const { jwk } = await newProgramKey("k1");
    const key = { kty: "EC", kid: "k1", crv: "P-256", x: String(jwk.x), y: String(jwk.y) } as const;
    const change = { spId, clientId, keys: [key], actor: undefined };
    const act = () => setCredentialKeys(serviceTable(), change, async () => undefined, given.clock);
    return { ...given, act, expected: () => [{ client_id: clientId }] };
  },
  "credential.expiring": async () => {
    const given = await givenCrb();
    const expiresAt = new Date(Date.now() + 20 * 86_400_000);
    const { client_id } = await given.another([], { expiresAt });
    const clock = new TestClock(new Date(expiresAt.getTime() - 7 * 86_400_000).toISOString());
    const act = () => announceExpiries(serviceTable(), clock);
    return { ...given, act, expected: () => [{ client_id, days: 7 }] };
  },
  "identity_provider.changed": async () => {
    const given = await givenCrb();
    const { spId } = given;
    const roles = [{ claim: "groups", value: "Staff", role: "viewer" as const }];
    const settings = {
      short_name: `s-${spId}`,
      issuer: "https://x.example.com",
      client_id: spId,
      customers: false,
      roles,
    };
    const act = () =>
      setIdentityProvider({ table: serviceTable(), bucket: serviceBucket() }, spId, settings, undefined);
    const expected = async () => {
      const stored = await readSettings(table(), spId);
      return stored ? [{ credential_id: stored.credential_id }] : [];
    };
    return { ...given, act, expected };
  },
  "endpoint.disabled": async () => {
    const given = await givenCrb();
    const { crbId, spId } = given;
    const sent = { url: "https://receiver.example.com/", description: "", eventTypes: ["crb.updated"] } as const;
    const { endpoint } = await createEndpoint(table(), spId, sent);
    await commitWithEvents(
      table(),
      { writes: [], events: [{ type: "crb.updated", spId, crbId, data: {} }] },
      systemClock,
    );
    const message = { sp_id: spId, endpoint_id: endpoint.id, shard: shardOf(crbId) };
    const act = async () => {
      // The lease of a killed worker expires.
      await table().update(webhookPositionKey(endpoint.id, message.shard), { heldUntil: 0 });
      const deadline = new Date(Date.now() + 60_000);
      await deliverShard(serviceTable(), message, {
        deadline,
        sendTo: async () => ({ statusCode: 410, error: "status" }),
      });
    };
    return { ...given, act, expected: () => [{ endpoint_id: endpoint.id, reason: "gone" }] };
  },
};

/** The events of a type, as the service provider reads them. */
async function eventsOf({ call }: Pick<Occurrence, "call">, type: EventType): Promise<ReceivedEvent[]> {
  const { status, json } = await call("listEvents");
  expect([status, json.has_more]).toEqual([200, false]);
  return json.data.filter((event: ReceivedEvent) => event.type === type);
}

const sorted = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).sort();

/** Compares the events with the stored state. */
async function expectEvents(occurrence: Occurrence, type: EventType, note: string): Promise<void> {
  // The CRB that the calling service provider has had from the beginning.
  const own = type === "crb.created" ? [{}] : [];
  const expected = [...own, ...(await occurrence.expected())];
  const events = await eventsOf(occurrence, type);
  expect(sorted(events.map(({ data }) => data)), note).toEqual(sorted(expected));
  for (const { sp_id } of events) expect(sp_id).toBe(occurrence.spId);
}

test("every event type has a case below, except endpoint.test, which is sent and never stored", () => {
  expect(Object.keys(occurrences).sort()).toEqual(eventTypes.filter((type) => type !== "endpoint.test").sort());
});

test.each(["pause", "withdraw"] as const)(
  "the records that a killed run has stored are announced even after %s has ended replication",
  async (end) => {
    vi.stubEnv("POS_CONNECTORS", "sandbox");
    const writes = await writesOf(calls, (await givenConnected()).replicate);
    let events = 0;
    for (const write of crashPoints(writes)) {
      const given = await givenConnected();
      const { crbId, clock } = given;
      crashAt(calls, write, "after");
      await given.replicate().catch(() => undefined);
      letCallsPass(calls);
      if (end === "pause") await moveOnboarding(serviceTable(), crbId, end, clock);
      else await withdrawConsent(serviceTable(), { crbId }, clock);
      // The message is delivered again.
      await given.replicate();
      const { places } = await followChanges(table(), recordList(crbId, "customer"), { limit: 10 });
      const announced = await table().get(announcedKey(crbId, "customer"), { consistent: true });
      expect(announced?.head, `after write ${write}`).toBe(places.at(-1)?.rank);
      events += (await eventsOf(given, "records.changed")).length;
    }
    expect(events).toBeGreaterThan(isThorough ? 3 : 1);
  },
);

describe.each(sampleCases(Object.keys(occurrences) as EventType[], 6))("%s", (type) => {
  const given = occurrences[type] ?? expect.fail();

  test("is stored exactly once, also if a process dies before or after any write and the call is repeated", async () => {
    outage.current = undefined;
    vi.stubEnv("POS_CONNECTORS", "sandbox");
    for (const [name, value] of Object.entries(termsEnvironment)) vi.stubEnv(name, value);
    const whole = await given();
    const writes = await writesOf(calls, whole.act);
    expect(writes).toBeGreaterThan(1);
    await expectEvents(whole, type, "whole");
    await whole.act().catch(() => undefined);
    if (type !== "credential.created") await expectEvents(whole, type, "again");
    for (const write of crashPoints(writes)) {
      for (const side of sides) {
        const occurrence = await given();
        crashAt(calls, write, side);
        await Promise.resolve(occurrence.act()).catch(() => undefined);
        letCallsPass(calls);
        await occurrence.act().catch(() => undefined);
        await expectEvents(occurrence, type, `${side} write ${write}`);
      }
    }
  });
});
