import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listEndedPersons, permitPerson } from "../../../shared/auth/endedPersons.ts";
import { type Person, roleScopes } from "../../../shared/auth/roles.ts";
import { issueToken } from "../../../shared/auth/tokens.ts";
import { endPersonJournaled } from "../../../shared/domain/crbs/journaledCrbChanges.ts";
import { entriesToReplay, replayEntry } from "../../../shared/domain/crbs/replayJournal.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { setIdentityProvider } from "../../../shared/domain/identityProviders/setIdentityProvider.ts";
import { endedPersonKey, tokenCountKey } from "../../../shared/store/keys/credentials.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { givenServiceProvider } from "../../functions/callHandler.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";

const table = useTestTable();
useTestBucket();
const stores = () => ({ table: table(), bucket: serviceBucket() });

async function givenPersons() {
  const { spId, clientId } = await givenServiceProvider(table());
  const owner = { kind: "serviceProvider" as const, id: spId };
  const roles = [{ claim: "groups", value: "Staff", role: "viewer" as const }];
  const settings = {
    short_name: `b-${spId}`,
    issuer: "https://login.example.com",
    client_id: spId,
    customers: false,
    roles,
  };
  const scopes = roleScopes.administrator;
  const { credential_id } = await setIdentityProvider(stores(), spId, settings, { clientId, owner, spId, scopes });
  const issue = (sub: string) => {
    const person: Person = { sub, name: null, role: "viewer" };
    const assertion = { id: randomUUID(), expires: Math.floor(Date.now() / 1000) + 60 };
    const principal = { clientId: credential_id, owner, spId, scopes: roleScopes.viewer, person, assertion };
    return issueToken(table(), principal, roleScopes.viewer);
  };
  const subs = async () => {
    const tokens = await table().queryPartition(tokenCountKey(credential_id).pk, {
      prefix: "TOKEN#",
      consistent: true,
    });
    return tokens.map(({ person }) => (person as Person).sub).sort();
  };
  return { spId, issue, subs };
}

test("the end of a person's access deletes the person's tokens and no others, and permits no more", async () => {
  const { spId, issue, subs } = await givenPersons();
  for (const sub of ["ana", "ana", "ben"]) await issue(sub);
  expect(await endPersonJournaled(stores(), spId, "ana")).toBe(2);
  expect(await subs()).toEqual(["ben"]);
  await expect(issue("ana")).rejects.toMatchObject({ kind: "unauthorized" });
  await issue("ben");
  expect(await listEndedPersons(table(), spId)).toEqual([{ sub: "ana", ended_at: expect.any(String) }]);
  await permitPerson(table(), spId, "ana");
  await issue("ana");
  expect(await listEndedPersons(table(), spId)).toEqual([]);
});

test("exchanges in progress at the end leave no token", async () => {
  const { spId, issue, subs } = await givenPersons();
  const exchanging = async () => {
    for (let i = 0; i < 1_000; i++) {
      const end = await issue("ana").then(
        () => undefined,
        ({ kind }) => kind,
      );
      // On a slow machine the tokens reach their maximum before the end.
      if (end && end !== "throttled") return end;
    }
    return "unended";
  };
  const exchanges = [exchanging(), exchanging(), exchanging(), exchanging()];
  await issue("ana");
  await endPersonJournaled(stores(), spId, "ana");
  expect(await Promise.all(exchanges)).toEqual(Array(4).fill("unauthorized"));
  expect(await subs()).toEqual([]);
});

test("a restored table gets the end again", async () => {
  const { spId, issue } = await givenPersons();
  const before = new Date();
  await endPersonJournaled(stores(), spId, "cy");
  // The table of before the end.
  await table().delete(endedPersonKey(spId, "cy"));
  const places = (await entriesToReplay(stores(), before)).filter(({ kind }) => kind === "person");
  // Entries of the tests before come first.
  expect(await replayEntry(stores(), places.at(-1) ?? expect.fail("no entry"))).toEqual({ outcome: "done" });
  await expect(issue("cy")).rejects.toMatchObject({ kind: "unauthorized" });
});

test("a person who was permitted again stays permitted after a replay of the end, but not of a later one", async () => {
  const { spId, issue } = await givenPersons();
  const before = new Date();
  await endPersonJournaled(stores(), spId, "di");
  await permitPerson(table(), spId, "di", { ...systemClock, now: () => new Date(Date.now() + 5) });
  const replay = async () => {
    const places = (await entriesToReplay(stores(), before)).filter(({ kind }) => kind === "person");
    return (await replayEntry(stores(), places.at(-1) ?? expect.fail("no entry"))).outcome;
  };
  expect(await replay()).toBe("createdAnew");
  await issue("di");
  await new Promise((resolve) => setTimeout(resolve, 10));
  await endPersonJournaled(stores(), spId, "di");
  await table().delete(endedPersonKey(spId, "di"));
  expect(await replay()).toBe("done");
  await expect(issue("di")).rejects.toMatchObject({ kind: "unauthorized" });
});
