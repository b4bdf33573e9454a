import { crc32 } from "node:zlib";
import { expect } from "vitest";
import { handler as exchangeToken } from "../../../../../functions/authentication/exchangeToken.ts";
import { type RecordKind, recordKinds } from "../../../../../shared/api/kinds.ts";
import { createBusiness } from "../../../../../shared/domain/crbs/createBusiness.ts";
import { storeDeposits } from "../../../../../shared/domain/deposits/storeDeposits.ts";
import { serviceBucket } from "../../../../../shared/domain/documents/bucket.ts";
import { statementPrefix } from "../../../../../shared/domain/documents/objectPrefixes.ts";
import { createExport } from "../../../../../shared/domain/exports/createExport.ts";
import { computeInsights } from "../../../../../shared/domain/insights/computeInsights.ts";
import { exchangeMonthTotals, peerGroup } from "../../../../../shared/domain/insights/peers.ts";
import { applyFinding, insightWrites } from "../../../../../shared/domain/insights/storedInsight.ts";
import { sendInvitations } from "../../../../../shared/domain/invitations/sendInvitations.ts";
import { noticeWrites } from "../../../../../shared/domain/invitations/sendNotices.ts";
import { linkLicense } from "../../../../../shared/domain/linkedLicenses/linkLicense.ts";
import { standardTemplate } from "../../../../../shared/domain/onboarding/standardTemplate.ts";
import { eraseCustomer } from "../../../../../shared/domain/replication/eraseCustomer.ts";
import { replicateCrb } from "../../../../../shared/domain/replication/replicateCrb.ts";
import { createStatement } from "../../../../../shared/domain/statements/createStatement.ts";
import type { Connector } from "../../../../../shared/pos/connector.ts";
import type { PosRecords } from "../../../../../shared/pos/posRecords.ts";
import { sandboxConnector } from "../../../../../shared/pos/sandbox/sandboxConnector.ts";
import type { Table } from "../../../../../shared/store/client.ts";
import { readCrb } from "../../../../../shared/store/crbs.ts";
import { consentHistoryKey } from "../../../../../shared/store/keys/crbHistory.ts";
import { depositCasesKey } from "../../../../../shared/store/keys/deposits.ts";
import { insightsDueKey } from "../../../../../shared/store/keys/insights.ts";
import { recordList } from "../../../../../shared/store/keys/orderedLists.ts";
import { overviewKey } from "../../../../../shared/store/keys/overview.ts";
import { stateConnectionsKey, stateDayKey, stateKeysKey } from "../../../../../shared/store/keys/stateSystems.ts";
import type { givenServiceProvider } from "../../../../functions/callHandler.ts";
import { valid } from "../../../../functions/crbs/useCreation.ts";
import { note } from "../../../../functions/onboarding/givenOnboarding.ts";
import { requestEvent, testContext } from "../../../../requestEvent.ts";
import { testTableOf } from "../../../../testTable.ts";
import { interceptCalls, type TestClock } from "../../../store/orderedList/listUnderTest.ts";
import { licenseIdOf } from "../../linkedLicenses/givenLicenses.ts";

const minute = 60_000;

/** The mail service rejects this address, so that its invitation stays unsent. */
export const rejectedAddress = "rejected@example.com";

/** The number of the license that all businesses link. The register of Colorado must have it. */
export const linkedNumber = "P-1";

const sandbox = sandboxConnector(900);

/**
 * The sandbox with its first records of each kind and one rejected record. Every other sale is of one customer. The
 * second half of the records is a page of its own.
 */
function smallPos(maxRecords: number): Connector {
  return {
    verify: (connection) => sandbox.verify(connection),
    async pull(connection, request) {
      const page = await sandbox.pull(connection, { ...request, position: null });
      const half = Math.ceil(maxRecords / 2);
      const isFirst = request.position === null;
      const sorted = page.records.toSorted((one, other) => Number(hasBuyer(other)) - Number(hasBuyer(one)));
      const first = sorted.map((record, i) => (i % 2 === 0 ? withBuyer(record, sorted[0]) : record));
      const records = isFirst ? first.slice(0, half) : first.slice(half, maxRecords);
      const rejected = isFirst ? [{ posId: "malformed", field: "name", reason: "invalid_type" }] : [];
      const next = isFirst ? { position: "second" } : { watermark: request.now.toISOString() };
      return { ...page, records, rejected, total: maxRecords, next };
    },
  };
}

const hasBuyer = (record: PosRecords[RecordKind]) =>
  "customer" in record && typeof record.customer?.pos_customer_id === "string";

/** Gives a sale the buyer of the first one, so that one customer has many. */
function withBuyer<Kind extends RecordKind>(record: PosRecords[Kind], first: PosRecords[Kind] | undefined) {
  if (!("customer" in record) || !first || !("customer" in first)) return record;
  return { ...record, customer: first.customer };
}

/** A service provider for whom businesses are filled. */
export type Provider = Awaited<ReturnType<typeof givenServiceProvider>>;

/**
 * A business for which the service has stored every kind of item, by its operations and by replication, over three days.
 * @param maxRecords records of each kind
 */
export async function fillBusiness(
  table: Table,
  provider: Provider,
  clock: TestClock,
  name: string,
  maxRecords: number,
) {
  const { spId, call } = provider;
  const user = { firstName: "Robin", lastName: "Reyes" };
  const body = {
    ...valid,
    org: { ...valid.org, name, ein: `84-${String(crc32(name)).padStart(10, "0").slice(-7)}` },
    users: [
      { ...user, email: `${name.toLowerCase()}@example.com` },
      { ...user, email: rejectedAddress },
    ],
  } as unknown as Parameters<typeof createBusiness>[1]["body"];
  const { crbId } = await createBusiness(table, { spId, body, idempotencyKey: `key of ${name}` }, clock);
  const licenseId = await licenseIdOf(linkedNumber);
  await linkLicense({ table, bucket: serviceBucket() }, { spId, crbId, licenseId }, clock);
  await sendInvitations(table, crbId, clock);
  // Stored directly, because a withdrawal would end the connection.
  await table.transact(noticeWrites(table, crbId, "withdrawal", clock.now()));

  const replicate = async (kinds: readonly RecordKind[], on = table, deadline = Number.POSITIVE_INFINITY) => {
    for (const kind of kinds) {
      const options = { clock, connectorOf: () => smallPos(maxRecords), segmentSize: 4 };
      const until = new Date(Math.min(deadline, clock.time + 10 * minute));
      await replicateCrb(on, { crb_id: crbId, kind, full: true }, { ...options, deadline: until });
    }
  };
  for (let day = 0; day < 3; day++) {
    await replicate(recordKinds);
    clock.advance(24 * 60 * minute);
  }
  const sales = await table.queryPartition(recordList(crbId, "sale").pk);
  const named = sales.map(({ body }) => JSON.parse(body as string).customer?.customer_id as string | null);
  const customers = await table.queryPartition(recordList(crbId, "customer").pk);
  const buyer = named.find((id) => id) ?? expect.fail("no sale of a customer");
  for (const customerId of [customers[0]?.sk ?? "", buyer]) {
    await eraseCustomer(table, crbId, customerId, { clock, segmentSize: 4 });
  }
  // A worker whose time slice ends after a page saves its progress.
  await replicate(["inventory"]);
  await replicate(["inventory"], table, clock.time);
  // A worker crashes before the lists of the locations are updated.
  clock.advance(24 * 60 * minute);
  await crashingWithOutbox(table, (crashing) => replicate(["inventory"], crashing));
  clock.advance(2 * minute);

  const day = { start_date: "2026-03-02", end_date: "2026-03-02", subject: null, windows: [], sales: [] };
  const figures = { measured: 2, expected: 1, unit: "sales", criterion: "", sentence: "" } as const;
  const at = { now: clock.now().toISOString(), digestOf: () => "" };
  const raised = applyFinding(crbId, { code: "no_sales", ...day, ...figures }, undefined, at) ?? expect.fail();
  await table.transact(insightWrites(table, spId, raised.stored, undefined));
  await computeInsights(table, crbId, { clock });
  await table.put({ ...insightsDueKey(crbId), at: at.now });
  await table.put({ ...overviewKey(spId, crbId), row: "{}", as_of: at.now });
  const group = peerGroup((await readCrb(table, crbId))?.record ?? expect.fail()) ?? expect.fail();
  await exchangeMonthTotals(table, { spId, crbId }, { ...group, month: at.now.slice(0, 7), total: 1 });

  await storeDeposits(
    table,
    { spId, crbId },
    [{ id: "1", posted_date: "2026-03-02", amount: 100, type: "cash" }],
    clock,
  );

  await table.put({ ...depositCasesKey(crbId), cases: "[]", version: 1 });

  await table.put({ ...stateConnectionsKey(crbId), licenses: {}, version: 1 });
  await table.put({ ...stateKeysKey(crbId) });
  await table.put({ ...stateDayKey(crbId, "2026-03-01", "402R-00417"), system: "Metrc", content: "{}" });

  const exported = { kinds: ["sales" as const], format: "ndjson" as const };
  await createExport(table, { spId, crbId, body: exported, createdBy: null }, clock);

  const days = { start_date: "2026-03-01", end_date: "2026-03-02" };
  const stated = { spId, crbId, body: { ...days, format: "json" as const }, by: { clientId: null } };
  const statement = await createStatement(table, stated, clock);
  const objects = serviceBucket();
  await objects.storeBytes(`${statementPrefix(crbId)}${statement.id}/1/statement.json`, "{}");
  await table.put({ ...consentHistoryKey(crbId, at.now), event: "given" });

  const path = { crb_id: crbId, requirement_id: standardTemplate.document_requirements[0]?.requirement_id ?? "" };
  const add = () => call("addRequirementDocument", { path, body: note });
  const [deleted, kept] = [(await add()).json, (await add()).json];
  const ofDeleted = { ...path, document_id: deleted.document_id };
  expect((await call("deleteRequirementDocument", { path: ofDeleted })).status).toBe(200);
  const file = { file_name: "note.txt", file_type: "text/plain", size: 1 };
  const upload = await call("createDocumentUpload", { path, body: file });
  const headers = { "Content-Type": "text/plain", "If-None-Match": "*" };
  expect((await fetch(upload.json.upload_link, { method: "PUT", body: "x", headers })).status).toBe(200);
  expect(kept.document_id).toBeDefined();

  const pair = async () => (await call("createCrbAccess", { path })).json;
  const pairs = [await pair(), await pair(), await pair()];
  const { client_id, secret } = pairs[2];
  const exchange = { client_id, client_secret: secret, grant_type: "client_credentials" };
  const token = await exchangeToken(
    requestEvent({ resource: "/auth/token", method: "POST", body: exchange }),
    testContext,
  );
  expect(token.statusCode).toBe(200);
  return { crbId, secret: secret as string, token: JSON.parse(token.body).access_token as string, replicate };
}

/** Kills a worker after it has written to the outbox. */
async function crashingWithOutbox(table: Table, work: (crashing: Table) => Promise<void>): Promise<void> {
  const crashing = testTableOf(table);
  const calls = interceptCalls(crashing);
  let isKilled = false;
  calls.before = (command, input) => {
    if (isKilled) throw new Error("killed");
    isKilled = command === "TransactWriteItemsCommand" && /"Put":\{[^}]*#INVENTORY#OUTBOX/.test(JSON.stringify(input));
  };
  await work(crashing).catch(() => undefined);
  expect(isKilled).toBe(true);
  crashing.client.destroy();
}
