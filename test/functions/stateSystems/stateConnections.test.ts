import { describe, expect, test } from "vitest";
import { stateConnection } from "../../../shared/api/schemas/stateSystem.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { entriesToReplay, replayEntry } from "../../../shared/domain/crbs/replayJournal.ts";
import { setStateConnection } from "../../../shared/domain/crbs/setStateConnection.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { sweepStateConnections } from "../../../shared/domain/stateSystems/sweepStateConnections.ts";
import { unseal } from "../../../shared/platform/crypto/sealing.ts";
import { changeCrb, readCrb } from "../../../shared/store/crbs.ts";
import { stateConnectionsKey, stateKeysKey } from "../../../shared/store/keys/stateSystems.ts";
import { readStateConnections } from "../../../shared/store/stateConnections.ts";
import { licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { scan } from "../../tableState.ts";
import { licenseNumber, useStateBusinesses } from "./useStateBusinesses.ts";

const { table, metrc, clock, given, givenConnected, sweep } = useStateBusinesses();

const stored = async (crbId: string) => [
  await table().get(stateConnectionsKey(crbId), { consistent: true }),
  await table().get(stateKeysKey(crbId), { consistent: true }),
];

describe("a connection", () => {
  test("is stored with a sealed key once Metrc has confirmed the key, listed, read and deleted", async () => {
    const { crbId, clientId, robin, ...business } = await given();
    await robin.consent();
    const { status, json } = await business.set();
    expect(status).toBe(200);
    expect(stateConnection.parse(json)).toEqual(json);
    expect(json).toEqual({
      license_number: licenseNumber,
      system: "Metrc",
      state: "CO",
      status: "waiting",
      error: null,
      data_as_of: null,
      view_only: null,
      connected_date: expect.any(String),
      connected_by: clientId,
      connected_by_person: null,
      connected_by_kind: "service_provider",
    });
    expect((await business.list()).json).toEqual({ metadata: { total: 1, count: "1 - 1" }, data: [json] });
    expect((await business.get()).json).toEqual(json);
    const [, keys] = await stored(crbId);
    expect(await unseal(crbId, keys?.[`KEY ${licenseNumber}`] as Uint8Array)).toEqual({ user_key: "user/key" });
    expect((await business.remove()).json).toEqual(json);
    expect((await business.get()).status).toBe(404);
    expect((await business.remove()).status).toBe(404);
    expect(Object.keys((await stored(crbId))[1] ?? {}).sort()).toEqual(["pk", "sk"]);
  });

  test("of a key that shows its permissions is known to be one that only views", async () => {
    const { robin, set } = await given();
    await robin.consent();
    metrc().facility.habits = { permissions: ["View Sales"] };
    expect((await set()).json.view_only).toBe(true);
  });

  test("by a user works likewise, and shows no credential of the service provider", async () => {
    const { robin, user, set, list } = await given();
    await robin.consent();
    expect((await user.set()).json).toMatchObject({ connected_by: robin.id, connected_by_kind: "invited_user" });
    expect((await list()).json.data[0]).toMatchObject({ connected_by: robin.id });
    await set();
    expect((await user.get()).json).toMatchObject({ connected_by: null, connected_by_kind: "service_provider" });
    expect((await user.list()).json.data).toHaveLength(1);
    expect((await user.remove()).status).toBe(200);
    expect((await list()).json.data).toEqual([]);
  });
});

test("a connection stays after the revocation of the credential that stored its key, and names it", async () => {
  const { crbId, clientId, user } = await givenConnected();
  await revokeCredential(table(), clientId);
  expect((await user.list()).json.data).toMatchObject([{ connected_by_kind: "service_provider" }]);
  const { licenses } = await readStateConnections(table(), crbId);
  expect(licenses[licenseNumber]?.by.id).toBe(clientId);
});

describe("nothing is stored", () => {
  test("without consent, after a withdrawal, and if the terms of the consent do not name the system", async () => {
    const { crbId, robin, set, user } = await given();
    expect([(await set()).json.code, (await user.set()).json.code]).toEqual(["consent_missing", "consent_missing"]);
    await robin.consent();
    await changeCrb(table(), crbId, ({ consent, ...crb }) => ({
      ...crb,
      consent: { termsVersion: "2026-11-26.00000000", date: consent?.date ?? "", givenBy: consent?.givenBy ?? "" },
    }));
    expect((await set()).json.code).toBe("consent_missing");
    await robin.consent();
    expect((await set()).status).toBe(200);
    await robin.withdraw();
    expect((await set()).json.code).toBe("consent_missing");
    expect(metrc().requestsFor(/./).length).toBeLessThan(10);
    expect(await stored(crbId)).toEqual([undefined, undefined]);
  });

  test("for a license that is not linked, or is of a state without Metrc or without a vendor key", async () => {
    const { crbId, robin, set } = await given();
    await robin.consent();
    expect((await set("user/key", "402R-99999")).json).toMatchObject({ status: 409, code: "license_not_linked" });
    expect((await set("user/key", licenseNumber, { system: "BioTrack", user_key: "x" })).json.fields).toHaveProperty(
      "body.system",
    );
    expect(metrc().requests).toEqual([]);
    expect(await stored(crbId)).toEqual([undefined, undefined]);
  });

  test.each([
    ["key", "wrong", null],
    ["permission", "user/key", ["View Sales", "Manage Sales"]],
  ])("for a rejected %s, and the key is in no response", async (_, key, permissions) => {
    const { crbId, robin, set } = await given();
    await robin.consent();
    metrc().facility.habits = { permissions };
    const { status, text, json } = await set(key);
    expect([status, Object.keys(json.fields)]).toEqual([422, ["body.user_key"]]);
    expect(text).not.toContain(key);
    expect(await stored(crbId)).toEqual([undefined, undefined]);
  });

  test("for a license that the key does not reach, and for one whose sales it may not view", async () => {
    const other = "402R-00002";
    const { robin, set } = await given([licenseNumber, other]);
    await robin.consent();
    expect((await set("user/key", other)).json.fields["body.user_key"].message).toContain("does not reach the license");
    metrc().faults = ({ path }) =>
      path.includes("receipts") ? { kind: "answer", answer: { status: 401, body: "<html>" } } : undefined;
    expect((await set()).json.fields["body.user_key"].message).toContain("may not view sales");
  });

  test("while Metrc cannot be reached", async () => {
    const { crbId, robin, set } = await given();
    await robin.consent();
    metrc().faults = () => ({ kind: "answer", answer: { status: 503 } });
    const { status, headers, json } = await set();
    expect([status, json.code]).toEqual([503, "state_system_unavailable"]);
    expect(Number(headers?.["Retry-After"])).toBeGreaterThan(0);
    expect(await stored(crbId)).toEqual([undefined, undefined]);
  });

  test("beyond ten connections, and a present one can still be replaced", async () => {
    const numbers = Array.from({ length: 11 }, (_, i) => `402R-1${String(i).padStart(4, "0")}`);
    const { crbId, robin } = await given(numbers);
    await robin.consent();
    const by = { kind: "invited_user", id: robin.id, person: null } as const;
    const license = metrc().facility;
    const statuses: unknown[] = [];
    for (const number of [...numbers, numbers[0] as string]) {
      Object.assign(license, { licenseNumber: number });
      const connect = setStateConnection(
        table(),
        { crbId, licenseNumber: number, by },
        { system: "Metrc", user_key: "user/key" },
      );
      statuses.push(
        await connect.then(
          () => 200,
          ({ details }) => details.code,
        ),
      );
    }
    expect(statuses).toEqual([...Array(10).fill(200), "state_connection_limit", 200]);
  });

  test("after twenty rejected keys", async () => {
    const { robin, set } = await given();
    await robin.consent();
    for (let i = 0; i < 20; i++) expect((await set("wrong")).status).toBe(422);
    expect((await set("wrong")).json.code).toBe("pos_check_limit");
  });
});

describe("connections and keys end", () => {
  test("with the consent of the business", async () => {
    const { crbId, robin, list } = await givenConnected();
    await robin.withdraw();
    expect(await stored(crbId)).toEqual([undefined, undefined]);
    expect((await list()).json.data).toEqual([]);
  });

  test("with the association", async () => {
    const { crbId } = await givenConnected();
    await endAssociation(table(), serviceBucket(), crbId);
    expect(await stored(crbId)).toEqual([undefined, undefined]);
  });

  test("also if a license is connected at the same time", async () => {
    const { crbId, robin, set } = await givenConnected();
    await Promise.all([robin.withdraw(), set(), set(), set()]);
    expect((await readCrb(table(), crbId, { consistent: true }))?.consent).toBeUndefined();
    expect(await stored(crbId)).toEqual([undefined, undefined]);
  });

  test("at the next reading, if another process stored them afterwards", async () => {
    const { crbId, robin } = await givenConnected();
    const [connections, keys] = await stored(crbId);
    await robin.withdraw();
    for (const item of [connections, keys]) if (item) await table().put(item);
    await sweep();
    expect(await stored(crbId)).toEqual([undefined, undefined]);
  });
});

test("a deleted connection is deleted again after a restore, and one that was made afterwards stays", async () => {
  const { crbId, set, get, remove } = await givenConnected();
  const restoredTo = clock.now();
  const backup = await stored(crbId);
  const restore = async () => {
    for (const item of backup) if (item) await table().put(item);
  };
  // A replaced key belongs to the same connection.
  await set("user/key");
  await remove();
  const stores = { table: table(), bucket: serviceBucket() };
  const replay = async () => {
    const places = (await entriesToReplay(stores, restoredTo)).filter(({ kind }) => kind === "disconnection");
    const outcomes = await Promise.all(places.map((place) => replayEntry(stores, place, clock)));
    return outcomes.filter(({ outcome }) => outcome === "done").length;
  };
  await restore();
  expect((await get()).status).toBe(200);
  expect(await replay()).toBe(1);
  expect((await get()).status).toBe(404);
  expect(Object.keys((await stored(crbId))[1] ?? {}).sort()).toEqual(["pk", "sk"]);
  await set();
  expect(await replay()).toBe(0);
});

test("of connections that were made at the same instant, the named one is deleted", async () => {
  // Five, since a table returns them in any order.
  const numbers = [licenseNumber, ...[2, 3, 4, 5].map((each) => `402R-0000${each}`)];
  const { crbId, robin, set, list, remove } = await given(numbers);
  await robin.consent();
  for (const number of numbers) {
    Object.assign(metrc().facility, { licenseNumber: number });
    await set("user/key", number);
  }
  const [item] = await stored(crbId);
  const licenses = item?.licenses as Record<string, object>;
  for (const each of Object.values(licenses)) Object.assign(each, { firstConnectedAt: "2026-03-01T12:00:00.000Z" });
  await table().put({ ...item, ...stateConnectionsKey(crbId) });
  for (const [index, number] of numbers.entries()) {
    await remove(number);
    const left = numbers.slice(index + 1).map((license_number) => expect.objectContaining({ license_number }));
    expect((await list()).json.data).toEqual(left);
  }
});

test("a license that is unlinked is not read until it is linked again", async () => {
  const { call, get } = await givenConnected();
  await call("unlinkCrbLicense", { path: { license_id: await licenseIdOf(licenseNumber) } });
  const before = metrc().requests.length;
  await sweep();
  expect((await get()).json).toMatchObject({ status: "failing", error: "license_unlinked" });
  expect(metrc().requests).toHaveLength(before);
});

test("a license that is unlinked while another one is read is not read", async () => {
  const numbers = [licenseNumber, "402R-00002"];
  const { call, robin, set, list } = await given(numbers);
  await robin.consent();
  for (const number of numbers.toReversed()) {
    Object.assign(metrc().facility, { licenseNumber: number });
    await set("user/key", number);
  }
  const ids = await Promise.all(numbers.map(licenseIdOf));
  const unlinkAll = async () => {
    for (const license_id of ids) {
      const unlinking = call("unlinkCrbLicense", { path: { license_id } });
      expect((await unlinking).status).toBe(200);
    }
  };
  let unlinking: Promise<unknown> | undefined;
  let isUnlinked = false;
  // Metrc fails until both are unlinked, so that the first reading waits for it, whichever business is read first.
  metrc().faults = () => (isUnlinked ? undefined : { kind: "answer", answer: { status: 503, body: "" } });
  const sleep = async () => {
    unlinking ??= unlinkAll();
    await unlinking;
    isUnlinked = true;
  };
  await sweepStateConnections(table(), { clock: { ...clock, sleep }, metrc: { firstPauseMs: 1 } });
  expect(isUnlinked).toBe(true);
  expect((await list()).json.data.map(({ error }: { error: string | null }) => error)).toContain("license_unlinked");
});

test("no key is stored in plain text, nor in any response", async () => {
  const { list, get } = await givenConnected();
  const texts = JSON.stringify([await scan(table()), (await list()).json, (await get()).json]);
  for (const secret of ["user/key", "vendor+key"]) expect(texts).not.toContain(secret);
});
