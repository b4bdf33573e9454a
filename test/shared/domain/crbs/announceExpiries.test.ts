import { afterEach, expect, test, vi } from "vitest";
import { issueCrbAccess } from "../../../../shared/auth/crbAccess.ts";
import { issueCredential } from "../../../../shared/auth/credentials.ts";
import { revokeCredentials } from "../../../../shared/auth/revoke.ts";
import { crbScopes, serviceProviderScopes } from "../../../../shared/auth/scopes.ts";
import { announceExpiries } from "../../../../shared/domain/crbs/announceExpiries.ts";
import { credentialKey, credentialNoticePartition } from "../../../../shared/store/keys/credentials.ts";
import { dyingTable } from "../../../dyingTable.ts";
import { givenServiceProvider } from "../../../functions/callHandler.ts";
import { revoking } from "../../../revoking.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";

const table = useTestTable();
useQueues();
afterEach(() => vi.unstubAllEnvs());

const day = 86_400_000;

async function given() {
  const provider = await givenServiceProvider(table());
  const { spId, call } = provider;
  const clock = new TestClock(new Date().toISOString());
  const owner = { kind: "serviceProvider" as const, id: spId };
  const issue = (days: number | undefined, issuedBy?: string) => {
    const expiresAt = days === undefined ? undefined : new Date(clock.time + days * day);
    return issueCredential(table(), { owner, spId, scopes: serviceProviderScopes, issuedBy, expiresAt });
  };
  /** The announced client ids and days of this service provider. */
  const announced = async () => {
    const { json } = await call("listEvents");
    const events = json.data as { type: string; crb_id: string | null; data: { client_id: string; days: number } }[];
    return events
      .filter(({ type }) => type === "credential.expiring")
      .map(({ data, crb_id }) => [data.client_id, data.days, crb_id]);
  };
  const notices = async (clientId: string) =>
    (await table().queryPartition(credentialNoticePartition, { consistent: true })).filter(({ sk }) =>
      sk.includes(clientId),
    );
  return { ...provider, clock, issue, announced, notices };
}

test("a credential is announced 30 and 7 days before it expires, once each", async () => {
  const { issue, clock, announced, notices } = await given();
  const { client_id } = await issue(60);
  clock.advance(30 * day - 60_000);
  await announceExpiries(table(), clock);
  expect(await announced()).toEqual([]);
  clock.advance(60_000 + 5_000);
  await Promise.all([1, 2, 3].map(() => announceExpiries(table(), new TestClock(clock.now().toISOString()))));
  expect(await announced()).toEqual([[client_id, 30, null]]);
  clock.advance(23 * day);
  for (const _ of ["first", "second"]) await announceExpiries(table(), clock);
  expect(await announced()).toEqual([
    [client_id, 30, null],
    [client_id, 7, null],
  ]);
  expect(await notices(client_id)).toEqual([]);
});

test("a short-lived credential is announced only for the days that it has, and a revoked one not at all", async () => {
  const { issue, clock, announced, notices } = await given();
  const [week, month, revoked] = [await issue(5), await issue(20), await issue(60)];
  await revokeCredentials(table(), [revoked.client_id]);
  expect((await notices(week.client_id)).length).toBe(0);
  expect((await notices(month.client_id)).length).toBe(1);
  clock.advance(14 * day);
  await announceExpiries(table(), clock);
  expect(await announced()).toEqual([[month.client_id, 6, null]]);
  clock.advance(40 * day);
  await announceExpiries(table(), clock);
  expect(await announced()).toEqual([[month.client_id, 6, null]]);
  expect(await notices(revoked.client_id)).toEqual([]);
});

test("a pair of a CRB is announced, too, by the end of its issuer", async () => {
  const { issue, clock, announced, spId, crbId } = await given();
  const issuer = await issue(40);
  const pair = await issueCrbAccess(table(), {
    spId,
    crbId,
    scopes: crbScopes,
    issuedBy: issuer.client_id,
    beforeRevocation: revoking,
  });
  clock.advance(33 * day + 1_000);
  await announceExpiries(table(), clock);
  const days = (await announced()).filter(([, , crb]) => crb === crbId);
  expect(days).toEqual([
    [pair.client_id, 7, crbId],
    [pair.client_id, 7, crbId],
  ]);
});

test("a run that is killed at any call announces once", async () => {
  const { issue, clock, announced } = await given();
  const ids: string[] = [];
  for (let at = 1; at <= 8; at++) {
    const { client_id } = await issue(20);
    ids.push(client_id);
    clock.advance(13 * day + 60_000);
    await announceExpiries(dyingTable(table(), 2 * at), clock).catch(() => undefined);
    expect(await announceExpiries(table(), clock)).toMatchObject({ failed: 0 });
    const announcedIds = (await announced()).map(([id]) => id);
    expect(announcedIds.filter((id) => id === client_id)).toHaveLength(1);
    clock.advance(-(13 * day + 60_000));
  }
});

test("the credentials of a stage with a maximum age expire at it by default, and never later", async () => {
  vi.stubEnv("MAX_CREDENTIAL_DAYS", "365");
  const { issue } = await given();
  const endOf = async (clientId: string) =>
    Date.parse(String((await table().get(credentialKey(clientId)))?.expires_at)) - Date.now();
  const open = await issue(undefined);
  for (const clientId of [open.client_id, (await issue(400)).client_id]) {
    expect(await endOf(clientId)).toBeGreaterThan(365 * day - 60_000);
    expect(await endOf(clientId)).toBeLessThanOrEqual(365 * day);
  }
  expect(await endOf((await issue(10)).client_id)).toBeLessThanOrEqual(10 * day);
});

test("a credential expires no later than the one that issued it, which must be active", async () => {
  const { issue } = await given();
  const issuer = await issue(10);
  const stored = async (clientId: string) => (await table().get(credentialKey(clientId)))?.expires_at;
  const later = await issue(20, issuer.client_id);
  const open = await issue(undefined, issuer.client_id);
  const end = await stored(issuer.client_id);
  expect([await stored(later.client_id), await stored(open.client_id)]).toEqual([end, end]);
  const earlier = await issue(5, issuer.client_id);
  expect(String(await stored(earlier.client_id)) < String(end)).toBe(true);
  await revokeCredentials(table(), [issuer.client_id]);
  await expect(issue(1, issuer.client_id)).rejects.toMatchObject({ kind: "unauthorized" });
});
