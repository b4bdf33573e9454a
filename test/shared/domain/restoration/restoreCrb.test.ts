import type { Context, SQSEvent } from "aws-lambda";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { handler as listCustomers } from "../../../../functions/customers/listCustomers.ts";
import { handler as getOnboarding } from "../../../../functions/onboarding/getOnboarding.ts";
import { handler as worker } from "../../../../functions/restorations/worker.ts";
import { newInvitationToken } from "../../../../shared/auth/invitationTokens.ts";
import { replayEntry } from "../../../../shared/domain/crbs/replayJournal.ts";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { loadYears } from "../../../../shared/domain/deposits/daySums.ts";
import { rebuildSums } from "../../../../shared/domain/deposits/rebuildSums.ts";
import { readSettings } from "../../../../shared/domain/deposits/settings.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import { listJournal, writeToJournal } from "../../../../shared/domain/documents/journal.ts";
import { createExport } from "../../../../shared/domain/exports/createExport.ts";
import { runExport } from "../../../../shared/domain/exports/runExport.ts";
import { rebuildLists } from "../../../../shared/domain/replication/rebuildLists.ts";
import { replicateCrb } from "../../../../shared/domain/replication/replicateCrb.ts";
import { beginRestoration, noteReplay, readClosed } from "../../../../shared/domain/restoration/beginRestoration.ts";
import { restoreCrb } from "../../../../shared/domain/restoration/restoreCrb.ts";
import { reconciledCrbKey, reconciliationPartition } from "../../../../shared/store/keys/deposits.ts";
import { entryKey } from "../../../../shared/store/keys/indexEntries.ts";
import { invitationsKey } from "../../../../shared/store/keys/invitations.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import {
  replicationDueKey,
  restorationKey,
  restoringKey,
  restoringOfKey,
} from "../../../../shared/store/keys/replication.ts";
import { hasDifferences } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { streamEntries } from "../../../../shared/store/orderedList/indexEntries.ts";
import { readAllDue } from "../../../../shared/store/replicationDue.ts";
import { readRestoration } from "../../../../shared/store/restoration.ts";
import { dyingTable, wasKilled } from "../../../dyingTable.ts";
import { termsEnvironment } from "../../../functions/onboarding/givenInvited.ts";
import { requestEvent, testContext } from "../../../requestEvent.ts";
import { testTableOf } from "../../../testTable.ts";
import { sampleCases } from "../../../thorough.ts";
import { crashAt, crashPoints, crashStep, letCallsPass, sides, writesOf } from "../../store/crashInjection.ts";
import { interceptCalls } from "../../store/orderedList/listUnderTest.ts";
import { usePurge } from "../crbs/purge/usePurge.ts";

const { table, clock, provider, fill, stores, sent } = usePurge();
type Business = Pick<Awaited<ReturnType<typeof fill>>, "crbId" | "secret">;
let business: Business;
/** A business without records. */
let other: Business;

beforeAll(async () => {
  business = await fill("Restored", 6);
  const { crbId, ofCrb } = provider();
  other = { crbId, secret: (await ofCrb()).secret };
});

/** Makes the table as a restore may leave it: two lists lack their day indexes. */
async function damage(): Promise<void> {
  for (const list of [recordList(business.crbId, "customer"), recordList(business.crbId, "sale")]) {
    await table().batchDelete(await table().queryPartition(list.orders.rank.dayIndexPartition));
  }
}

beforeEach(async () => {
  clock.advance(3_600_000);
  const closed = (await readClosed(table())).flatMap(({ spId, crbs }) => crbs.map(({ crbId }) => ({ spId, crbId })));
  const marks = closed.flatMap(({ spId, crbId }) => [restoringKey(crbId), restoringOfKey(spId, crbId)]);
  await table().batchDelete([restorationKey, ...marks]);
  await damage();
});

const begin = () => beginRestoration(table(), undefined, clock);
const heldUntil = () => new Date(clock.now().getTime() + 900_000);
const restore = (crbId = business.crbId, on = table()) => restoreCrb(on, crbId, { heldUntil: heldUntil(), clock });
const closedIds = async () => (await readClosed(table())).flatMap(({ crbs }) => crbs.map(({ crbId }) => crbId));
const stateOf = async ({ crbId }: Business) =>
  (await readClosed(table())).flatMap(({ crbs }) => crbs).find((each) => each.crbId === crbId);
const customersOf = async ({ crbId, secret }: Business) => {
  const event = requestEvent({ resource: "/crbs/{crb_id}/customers", path: { crb_id: crbId }, authorization: secret });
  const { statusCode, headers, body } = await listCustomers(event, testContext);
  return { status: statusCode, retryAfter: headers?.["Retry-After"], json: JSON.parse(body) };
};
const differences = async (crbId: string) =>
  (await Array.fromAsync(rebuildLists(table(), crbId, { isCheck: true, clock }))).filter(hasDifferences);

test("every business is closed to all its callers, and each opens when its lists are right", async () => {
  await begin();
  await noteReplay(table(), clock);
  const restoring = { code: "restoring", status: 503 };
  expect(await customersOf(business)).toMatchObject({ status: 503, retryAfter: "300", json: restoring });
  const { call } = provider();
  expect((await call("listCrbCustomers", { path: { crb_id: business.crbId } })).json).toMatchObject(restoring);
  // The list of the service provider's CRBs is right. The list of their documents says what it lacks.
  const crbs = await call("listServiceProviderCrbs");
  expect(crbs).toMatchObject({ status: 200, json: { metadata: { total: 2 } } });
  const review = () => call("listDocumentsToReview");
  const all = [business.crbId, other.crbId];
  expect((await review()).json).toMatchObject({ ...restoring, data: { restoring: 2 } });
  expect((await review()).json.data.crb_ids.toSorted()).toEqual(all.toSorted());

  expect(await restore()).toMatchObject({ outcome: "opened", records: expect.any(Number) });
  expect(await differences(business.crbId)).toEqual([]);
  expect(await customersOf(business)).toMatchObject({ status: 200, json: { metadata: { total: 7 } } });
  expect((await customersOf(other)).json).toMatchObject(restoring);
  expect((await review()).json).toMatchObject({ ...restoring, data: { restoring: 1 } });
  await restore(other.crbId);
  expect(await review()).toMatchObject({ status: 200 });
  expect(await closedIds()).toEqual([]);
  expect(await readRestoration(table())).toMatchObject({ crbs: 2 });
});

test("an invited user of a closed business gets 503, too", async () => {
  const { spId } = provider();
  for (const [name, value] of Object.entries(termsEnvironment)) vi.stubEnv(name, value);
  const item = (await table().get(invitationsKey(business.crbId))) ?? expect.fail();
  const [{ id }] = item.invitations as [{ id: string }];
  const invitation = { invitationId: id, crbId: business.crbId, spId };
  const { token, write } = await newInvitationToken(table(), invitation, new Date());
  await table().transact([write]);
  const call = async () =>
    (await getOnboarding(requestEvent({ resource: "/onboarding", authorization: token }), testContext)).statusCode;
  expect(await call()).toBe(200);
  await begin();
  expect(await call()).toBe(503);
});

test("nothing replicates or exports a closed business", async () => {
  const body = { kinds: ["customers" as const], format: "ndjson" as const };
  const { id, sp_id } = await createExport(
    table(),
    { spId: provider().spId, crbId: business.crbId, body, createdBy: null },
    clock,
  );
  await begin();
  const message = { crb_id: business.crbId, kind: "customer" as const };
  expect(await replicateCrb(table(), message, { deadline: heldUntil(), clock })).toEqual({ outcome: "restoring" });
  const run = () => runExport(stores(), { crb_id: business.crbId, export_id: id }, { deadline: heldUntil(), clock });
  expect(await run()).toEqual({ outcome: "waits", records: 0 });
  await noteReplay(table(), clock);
  await restore();
  expect(sp_id).toBe(provider().spId);
  expect(await run()).toMatchObject({ outcome: "ready" });
});

test("no business opens before the journal is replayed", async () => {
  await begin();
  expect(await runWorker()).toEqual([]);
  expect((await customersOf(business)).status).toBe(503);
  await noteReplay(table(), clock);
  expect(await runWorker()).toEqual([]);
  expect((await customersOf(business)).status).toBe(200);
});

test("an erasure that the replay repeats is complete before the business opens, although its index entries are missing", async () => {
  const { crbId } = business;
  const sales = await table().queryPartition(recordList(crbId, "sale").pk, { consistent: true });
  const { customer } =
    sales.map(({ body }) => JSON.parse(body as string)).find((sale) => sale.customer?.customer_id) ?? expect.fail();
  const customerId = customer.customer_id as string;
  const entry = { field: "customer_id", value: customerId };
  for await (const part of streamEntries(table(), recordList(crbId, "sale"), entry)) {
    await table().batchDelete(part.map(([id]) => entryKey(recordList(crbId, "sale"), entry, id)));
  }
  await begin();
  await writeToJournal(stores().bucket, { kind: "erasure", crb_id: crbId, customer_id: customerId }, clock.now());
  const place =
    (await listJournal(stores().bucket, new Date(0))).findLast(({ kind }) => kind === "erasure") ?? expect.fail();
  expect(await replayEntry(stores(), place, clock)).toEqual({ outcome: "done" });
  const named = async () =>
    JSON.stringify(await table().queryPartition(recordList(crbId, "sale").pk, { consistent: true })).includes(
      customerId,
    );
  expect(await named()).toBe(true);
  await noteReplay(table(), clock);
  expect(await restore()).toMatchObject({ outcome: "opened" });
  expect(await named()).toBe(false);
});

const places = sides.flatMap((side) => [0, 1].map((point) => ({ side, point })));

test.each(sampleCases(places, 1))(
  "a worker that is killed $side write number $point is followed by another, which opens the business",
  async ({ side, point }) => {
    await begin();
    await noteReplay(table(), clock);
    const crashing = testTableOf(table());
    const calls = interceptCalls(crashing);
    // A rehearsal counts the writes, and leaves right lists. So damage them again.
    const writes = await writesOf(calls, () => restore(business.crbId, crashing));
    await damage();
    await table().delete(restorationKey);
    await begin();
    await noteReplay(table(), clock);
    // The first write acquires the lease: a worker that is killed before it leaves none.
    crashAt(calls, Math.max(2, crashPoints(writes)[point] ?? expect.fail()), side);
    await restore(business.crbId, crashing).catch(() => undefined);
    letCallsPass(calls);
    // Until the lease of the killed worker ends, a second message does nothing.
    const killed = await stateOf(business);
    if (killed?.held_until) expect(await restore()).toMatchObject({ outcome: "held" });
    else expect(["open", "opened"]).toContain((await restore()).outcome);
    clock.advance(901_000);
    const { outcome } = await restore();
    expect(["opened", "open"]).toContain(outcome);
    expect(await differences(business.crbId)).toEqual([]);
    expect(await stateOf(business)).toBeUndefined();
    expect((await customersOf(business)).status).toBe(200);
  },
);

test("a message that comes twice at the same time, and a repeated command, do nothing twice", async () => {
  await begin();
  await noteReplay(table(), clock);
  const outcomes = (await Promise.all([restore(), restore()])).map(({ outcome }) => outcome);
  expect(outcomes.toSorted()).toEqual(["held", "opened"]);
  expect(await restore()).toEqual({ outcome: "open", records: 0 });
  await begin();
  expect((await customersOf(business)).status).toBe(200);
  expect(await closedIds()).not.toContain(business.crbId);
});

test("a message that meets the lease of a worker comes again, and restores the business if that worker was killed", async () => {
  await begin();
  await noteReplay(table(), clock);
  const key = restoringOfKey(provider().spId, business.crbId);
  await table().update(key, { held_until: Date.now() + 900_000 });
  expect(await runWorker()).toEqual([]);
  expect(sent).toMatchObject({ restorations: [{ crb_id: business.crbId }], delays: [900_000] });
  await table().update(key, { held_until: Date.now() - 1 });
  expect(await runWorker()).toEqual([]);
  expect(await closedIds()).not.toContain(business.crbId);
  expect(sent.restorations).toHaveLength(1);
});

test("a connected business whose due times a restore has lost is replicated again", async () => {
  const dueOf = async ({ crbId }: Business) => (await readAllDue(table())).find((due) => due.crbId === crbId)?.times;
  const planned = (await dueOf(business)) ?? expect.fail("not planned");
  await begin();
  expect(await dueOf(business)).toEqual(planned);
  await table().batchDelete([restorationKey, replicationDueKey(business.crbId)]);
  clock.advance(60_000);
  await begin();
  expect((await dueOf(business))?.sale).toBe(new Date(clock.time + 60_000).toISOString());
  expect(await dueOf(other)).toBeUndefined();
});

test("a slice ends at its deadline, and a message continues with the next step", async () => {
  await begin();
  await noteReplay(table(), clock);
  const slice = () => restoreCrb(table(), business.crbId, { deadline: clock.now(), heldUntil: heldUntil(), clock });
  expect(await slice()).toEqual({ outcome: "continues", records: 0 });
  expect(sent.restorations).toEqual([{ crb_id: business.crbId }]);
  expect(await stateOf(business)).toMatchObject({ step: 0, attempts: 1, held_until: 0, error: null });
  expect(await restore()).toMatchObject({ outcome: "opened" });
});

test("a business that cannot be rebuilt stays closed with the reason, and the next attempt opens it", async () => {
  await begin();
  await noteReplay(table(), clock);
  const failing = testTableOf(table());
  const calls = interceptCalls(failing);
  calls.before = (command, input) => {
    const isEntry = JSON.stringify(input).includes(recordList(business.crbId, "sale").orders.rank.dayIndexPartition);
    if (command.startsWith("TransactWrite") && isEntry) throw new Error("a private value");
  };
  await expect(restore(business.crbId, failing)).rejects.toThrow();
  expect(await stateOf(business)).toMatchObject({ error: "Error (rebuild sale)", attempts: 1, held_until: 0 });
  expect(await customersOf(business)).toMatchObject({ status: 503 });
  expect(await restore()).toMatchObject({ outcome: "opened" });
});

test("a list that is still wrong keeps the business closed, and is rebuilt again", async () => {
  await begin();
  await noteReplay(table(), clock);
  const changing = testTableOf(table());
  const calls = interceptCalls(changing);
  const list = recordList(business.crbId, "customer");
  // Another writer damages the list after its rebuild.
  let checks = 0;
  calls.before = async (command, input) => {
    if (command !== "UpdateItemCommand" || !JSON.stringify(input).includes("#RESTORING") || checks++ < 8) return;
    await table().batchDelete(await table().queryPartition(list.orders.rank.dayIndexPartition));
  };
  await expect(restore(business.crbId, changing)).rejects.toThrow();
  expect(await stateOf(business)).toMatchObject({ step: 0, error: "ListDiffersError (check customer)" });
  expect(await restore()).toMatchObject({ outcome: "opened" });
  expect(await differences(business.crbId)).toEqual([]);
});

test("a table that was restored from a restored one begins again", async () => {
  await table().put({ ...restorationKey, table: "another", began_at: "", crbs: 3, prepared_at: "x", replayed_at: "x" });
  expect(await readRestoration(table())).toBeUndefined();
  await begin();
  expect((await customersOf(business)).status).toBe(503);
  expect(await restore()).toMatchObject({ outcome: "waits" });
});

/** @returns the ids of the failed messages */
async function runWorker(): Promise<string[]> {
  const Records = [{ messageId: "1", body: JSON.stringify({ crb_id: business.crbId }) }];
  const context = { getRemainingTimeInMillis: () => 900_000 } as Context;
  const { batchItemFailures } = await worker({ Records } as SQSEvent, context);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

test("sums of days follow from the deposits again, and cash counts stay", async () => {
  const owner = { spId: provider().spId, crbId: business.crbId };
  const deposit = { posted_date: "2026-01-05", amount: 123_400, type: "cash" as const };
  const [one, two] = [
    { ...deposit, id: "1" },
    { ...deposit, id: "2", posted_date: "2025-12-31", type: "card" as const },
  ];
  await storeDeposits(table(), owner, [one], clock);
  await setCashCount(table(), owner, { date: "2026-01-04", amount: 500 }, clock);
  const before = await table().queryPartition(reconciliationPartition(owner.crbId));
  await storeDeposits(table(), owner, [two, { ...one, amount: 99 }], clock);
  const sums = async () => {
    const years = await loadYears(table(), owner.crbId, ["2025", "2026"]);
    return [...years.values()]
      .flatMap(({ days }) => [...days])
      .map(([day, { cash, cashDeposits, card, count }]) => {
        return [day, cash, cashDeposits, card, count];
      });
  };
  const [expected, settings] = [await sums(), await readSettings(table(), owner.crbId)];
  // The restore has the second request's deposits, but not its sums.
  const tear = async () => {
    await table().batchDelete(await table().queryPartition(reconciliationPartition(owner.crbId)));
    for (const item of before) await table().put(item);
    await table().delete(reconciledCrbKey(owner.crbId));
    expect(await sums()).not.toEqual(expected);
  };
  await tear();
  await begin();
  await noteReplay(table(), clock);
  // A worker that is killed before or after any call, or whose response is lost, is followed by another one.
  for (let half = 0, isKilled = true; isKilled; half += crashStep) {
    const dying = dyingTable(table(), half);
    await rebuildSums(dying, owner.crbId, clock).catch(() => undefined);
    isKilled = wasKilled(dying);
    await rebuildSums(table(), owner.crbId, clock);
    expect([await sums(), await readSettings(table(), owner.crbId)]).toEqual([expected, settings]);
    await tear();
  }
  expect(await restore()).toMatchObject({ outcome: "opened" });
  expect(await sums()).toEqual(expected);
  expect(await readSettings(table(), owner.crbId)).toEqual(settings);
  expect(await table().get(reconciledCrbKey(owner.crbId))).toBeDefined();
});
