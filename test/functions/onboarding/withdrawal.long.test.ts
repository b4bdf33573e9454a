import { createServer } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { close, listen } from "../../../infra/local/listen.ts";
import { entriesToReplay, replayEntry } from "../../../shared/domain/crbs/replayJournal.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { journalPrefix } from "../../../shared/domain/documents/journal.ts";
import { withdrawConsentJournaled } from "../../../shared/domain/onboarding/withdrawConsentJournaled.ts";
import { replicateCrb } from "../../../shared/domain/replication/replicateCrb.ts";
import type { Connector } from "../../../shared/pos/connector.ts";
import { PosClient } from "../../../shared/pos/framework/posClient.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { crbKey, posCredentialsKey } from "../../../shared/store/keys/crbs.ts";
import { unsentInvitationsKey } from "../../../shared/store/keys/invitations.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { replicationDueKey } from "../../../shared/store/keys/replication.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { plainCustomer, ScriptedPos } from "../../shared/domain/replication/scriptedPos.ts";
import { crashAt, crashPoints, letCallsPass, sides, writesOf } from "../../shared/store/crashInjection.ts";
import { type Calls, interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenConnectedCrb, givenInvited, termsEnvironment } from "./givenInvited.ts";

useTestServiceKey();
useTestSealingKey();
const table = useTestTable();
useTestBucket();
useQueues();
let calls: Calls;
beforeAll(() => {
  calls = interceptCalls(serviceTable());
  vi.stubEnv("POS_CONNECTORS", "sandbox");
  for (const [name, value] of Object.entries(termsEnvironment)) vi.stubEnv(name, value);
});
afterEach(() => letCallsPass(calls));
afterAll(() => void vi.unstubAllEnvs());

const givenConnected = () => givenConnectedCrb(table());

const deadline = () => new Date(Date.now() + 600_000);
const replicate = (crbId: string, pos: Connector) =>
  replicateCrb(table(), { crb_id: crbId, kind: "customer" }, { deadline: deadline(), connectorOf: () => pos });
const customersOf = (crbId: string) => table().queryPartition(recordList(crbId, "customer").pk, { consistent: true });

describe("a withdrawal during a replication", () => {
  test("stops it: no further page is requested, and nothing of the current page is stored", async () => {
    const { crbId, robin } = await givenConnected();
    const pos = new ScriptedPos(2);
    pos.put("customer", ...["1", "2", "3", "4", "5", "6"].map((id) => plainCustomer(id)));
    let pages = 0;
    pos.beforePage = async () => {
      pages++;
      if (pages === 2) expect((await robin.withdraw()).status).toBe(200);
    };
    expect(await replicate(crbId, pos)).toMatchObject({ outcome: "lost" });
    expect(pages).toBe(2);
    expect(await customersOf(crbId)).toHaveLength(2);
    expect(await replicate(crbId, pos)).toMatchObject({ outcome: "notConnected" });
    expect(pages).toBe(2);
    expect(await table().get(replicationDueKey(crbId), { consistent: true })).toBeUndefined();
  });

  test("stops it even between two requests for one page", async () => {
    const { crbId, robin } = await givenConnected();
    const requested: string[] = [];
    const server = createServer((request, response) => {
      requested.push(request.url ?? "");
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
    const url = `http://127.0.0.1:${await listen(server, 0)}`;
    const client = new PosClient({ url, requestsPerSecond: Number.POSITIVE_INFINITY });
    const ask = (text: string) => client.call({ path: { text, pattern: text }, headers: {}, rateLimitBucket: "one" });
    const pos: Connector = {
      verify: async () => [],
      pull: async () => {
        await ask("/first");
        expect((await robin.withdraw()).status).toBe(200);
        await ask("/second");
        return expect.fail("the POS was read");
      },
    };
    expect(await replicate(crbId, pos)).toMatchObject({ outcome: "lost" });
    expect(requested).toEqual(["/first"]);
    await close(server);
  });

  // Before both writes, the CRB and its credentials were already read.
  test.each([
    ["before it has the lease", "held_until", "lost"],
    ["before it raises the fence", "FENCE#CUSTOMER", "held"],
  ])("stops a run that is just acquiring its lease, %s", async (_, ofWrite, outcome) => {
    const { crbId, robin } = await givenConnected();
    const pos = new ScriptedPos(2);
    pos.put("customer", plainCustomer("1"));
    let pulled = 0;
    pos.beforePage = () => void pulled++;
    let isWithdrawn = false;
    calls.before = async (command, input) => {
      if (isWithdrawn || command !== "PutItemCommand" || !JSON.stringify(input).includes(ofWrite)) return;
      isWithdrawn = true;
      await robin.withdraw();
    };
    expect(await replicate(crbId, pos)).toMatchObject({ outcome });
    calls.before = () => undefined;
    expect([isWithdrawn, pulled, (await customersOf(crbId)).length]).toEqual([true, 0, 0]);
  });

  test("is followed by a reading from the beginning after a new connection, with the stored records kept", async () => {
    const { crbId, robin } = await givenConnected();
    const pos = new ScriptedPos(2);
    pos.put("customer", plainCustomer("1"), plainCustomer("2"));
    expect(await replicate(crbId, pos)).toMatchObject({ outcome: "finished", created: 2 });
    await robin.withdraw();
    expect(await customersOf(crbId)).toHaveLength(2);
    await robin.consent();
    await robin.connect();
    expect(await replicate(crbId, pos)).toMatchObject({ outcome: "finished", read: 2, created: 0, unchanged: 2 });
  });
});

describe("a withdrawal while another user enters credentials", () => {
  test.each([
    ["of a first connection", false],
    ["of the same connection", true],
  ])(
    "%s stops the test call: the POS gets no further request once the withdrawal has responded",
    async (_, isConnected) => {
      const { crbId, robin, kim, stored } = await givenInvited(table());
      await robin.consent();
      if (isConnected) expect((await robin.connect()).status).toBe(200);
      const requested: string[] = [];
      const server = createServer(async (request, response) => {
        requested.push(request.url ?? "");
        if (requested.length === 1) expect((await kim.withdraw()).status).toBe(200);
        // Makes the client send the request again.
        response.writeHead(503).end();
      });
      vi.stubEnv("POS_BLAZE_URL", `http://127.0.0.1:${await listen(server, 0)}`);
      vi.stubEnv("POS_BLAZE_PARTNER_KEY", "partner");
      const answer = await robin.connect({ pos_type: "Blaze", pos_credentials: { Authorization: "0123456789abcdef" } });
      vi.stubEnv("POS_BLAZE_URL", undefined);
      vi.stubEnv("POS_BLAZE_PARTNER_KEY", undefined);
      await close(server);
      expect([answer.status, requested.length]).toEqual([409, 1]);
      expect((await stored()).connection).toBeNull();
      expect(await table().get(posCredentialsKey(crbId), { consistent: true })).toBeUndefined();
    },
  );
});

test("a withdrawal that is killed before or after any write happens entirely or not at all, and is finished by calling it again", async () => {
  const whole = await givenConnected();
  const writes = await writesOf(calls, whole.robin.withdraw);
  expect(writes).toBeGreaterThan(0);
  for (const write of crashPoints(writes)) {
    for (const side of sides) {
      const { crbId, robin, stored } = await givenConnected();
      crashAt(calls, write, side);
      await robin.withdraw().catch(() => undefined);
      letCallsPass(calls);
      const { consent, connection } = await stored();
      const sealed = await table().get(posCredentialsKey(crbId), { consistent: true });
      expect([consent === undefined, connection === null, sealed === undefined]).toEqual(
        Array(3).fill(connection === null),
      );
      expect((await robin.withdraw()).status).toBe(200);
      expect((await stored()).connection).toBeNull();
      expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeDefined();
    }
  }
});

describe("a restored table and the replay of the journal", () => {
  const items = async (crbId: string) => ({
    crb: (await table().get(crbKey(crbId), { consistent: true })) ?? expect.fail("no CRB"),
    sealed: (await table().get(posCredentialsKey(crbId), { consistent: true })) ?? expect.fail("no credentials"),
  });
  const replay = async (crbId: string, since: Date) => {
    const stores = { table: table(), bucket: serviceBucket() };
    const outcomes: string[] = [];
    for (const place of await entriesToReplay(stores, since)) {
      const entry = JSON.parse(String(await serviceBucket().readBytes(place.key)));
      if (entry.crb_id === crbId) outcomes.push((await replayEntry(stores, place, systemClock)).outcome);
    }
    return outcomes;
  };

  test("do not bring back a withdrawn connection", async () => {
    const since = new Date();
    const { crbId, robin, stored } = await givenConnected();
    const backup = await items(crbId);
    await robin.withdraw();
    await table().put({ ...backup.crb, version: (await table().get(crbKey(crbId), { consistent: true }))?.version });
    await table().put(backup.sealed);
    expect((await stored()).connection).not.toBeNull();
    await table().delete(unsentInvitationsKey(crbId));
    expect(await replay(crbId, since)).toEqual(["done"]);
    expect(await stored()).toMatchObject({ connection: null, withdrawal: { by: robin.id } });
    expect((await stored()).consent).toBeUndefined();
    expect(await table().get(posCredentialsKey(crbId), { consistent: true })).toBeUndefined();
    // The users were already notified.
    expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeUndefined();
    expect(await replay(crbId, since)).toEqual(["done"]);
  });

  test("notify the users if the replay overtakes the withdrawal", async () => {
    const since = new Date();
    const { crbId, robin, stored } = await givenConnected();
    let outcomes: string[] | undefined;
    calls.before = async (command) => {
      if (outcomes || command !== "TransactWriteItemsCommand") return;
      outcomes = [];
      outcomes = await replay(crbId, since);
    };
    expect((await robin.withdraw()).status).toBe(200);
    letCallsPass(calls);
    expect(outcomes).toEqual(["done"]);
    expect(await stored()).toMatchObject({ connection: null, withdrawal: { by: robin.id } });
    expect(await table().get(unsentInvitationsKey(crbId), { consistent: true })).toBeDefined();
  });

  test("do not bring back a connection that a machine with a slow clock withdrew", async () => {
    const { crbId, robin, stored } = await givenConnected();
    const { consent } = await stored();
    const behind = { ...systemClock, now: () => new Date(Date.parse(consent?.date ?? "") - 2_000) };
    const backup = await items(crbId);
    await withdrawConsentJournaled({ table: table(), bucket: serviceBucket() }, { crbId, by: robin.id }, behind);
    await table().put({ ...backup.crb, version: (await table().get(crbKey(crbId), { consistent: true }))?.version });
    expect(await replay(crbId, behind.now())).toEqual(["done"]);
    expect((await stored()).consent).toBeUndefined();
  });

  test("keep a consent that was given after the withdrawal", async () => {
    const since = new Date();
    const { crbId, robin, stored } = await givenConnected();
    await robin.withdraw();
    await robin.consent();
    await robin.connect();
    const before = await stored();
    expect(await replay(crbId, since)).toEqual(["done"]);
    expect(await stored()).toEqual(before);
  });

  test("can rely on the journal, which is written before the withdrawal and holds only ids", async () => {
    const { crbId, robin, stored } = await givenConnected();
    const keys = async () => (await serviceBucket().list(journalPrefix("withdrawal"), "")).map(({ key }) => key);
    const before = await keys();
    crashAt(calls, 1, "before");
    await robin.withdraw().catch(() => undefined);
    letCallsPass(calls);
    const [key = expect.fail("not noted")] = (await keys()).filter((each) => !before.includes(each));
    const { record } = await stored();
    expect(JSON.parse(String(await serviceBucket().readBytes(key)))).toEqual({
      crb_id: crbId,
      creation: record.template_result_id,
      invitation_id: robin.id,
    });
  });
});
