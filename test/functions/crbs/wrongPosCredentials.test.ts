import { randomUUID } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { rejectedTooOften } from "../../../shared/api/operations/examples.ts";
import { changeCrb } from "../../../shared/store/crbs.ts";
import { useServer } from "../../useServer.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenInvited, termsEnvironment } from "../onboarding/givenInvited.ts";
import { useCreation } from "./useCreation.ts";

const table = useTestTable();
const { given } = useCreation(table);

/** A POS that rejects every credential, and the passwords that it received. */
const passedOn = new Set<unknown>();
const pos = useServer((request, response) => {
  passedOn.add(request.headers.key);
  response.writeHead(401).end();
});
beforeEach(() => {
  passedOn.clear();
  vi.stubEnv("POS_CONNECTORS", "real");
  vi.stubEnv("POS_FLOWHUB_URL", pos());
  for (const [name, value] of Object.entries(termsEnvironment)) vi.stubEnv(name, value);
});

const flowhub = (key: string) => ({
  pos_type: "Flowhub",
  pos_credentials: { key, clientId: "front-range" },
  location_id: "testing",
});
const creation = (key: string) => ({
  org: { name: `Business ${key}`, state: "CO", business_type: "retail" },
  pos_info: flowhub(key),
});
const passwords = Array.from({ length: 120 }, (_, index) => `guess-${index}`);
const counts = (statuses: readonly number[]) =>
  Object.fromEntries([200, 422, 429, 503].map((status) => [status, statuses.filter((each) => each === status).length]));

test("of 120 wrong passwords that a credential and its tokens send at once, 20 reach the POS", async () => {
  const { call, create, tokenOf, listed } = await given();
  const token = await tokenOf();
  const answers = await Promise.all(
    passwords.map((key, index) =>
      call("createCrb", { body: creation(key), ...(index % 2 === 1 && { authorization: token }) }),
    ),
  );
  expect(counts(answers.map(({ status }) => status))).toEqual({ 200: 0, 422: 20, 429: 100, 503: 0 });
  expect(passedOn.size).toBe(20);
  const { status, json, headers } = await create(creation("one more"));
  expect([status, json.message]).toEqual([429, rejectedTooOften]);
  expect(Number(headers?.["Retry-After"])).toBeGreaterThan(0);
  expect(Number(headers?.["Retry-After"])).toBeLessThanOrEqual(600);
  expect(await listed()).toEqual([]);
  // Another credential is not delayed.
  const other = await given();
  expect((await other.create(creation("another's"))).status).toBe(422);
});

test("of 120 wrong passwords of the invited users of a business, 20 reach the POS", async () => {
  const { robin, kim } = await givenInvited(table());
  expect((await robin.consent()).status).toBe(200);
  const answers = await Promise.all(passwords.map((key, index) => (index % 2 ? robin : kim).connect(flowhub(key))));
  expect(counts(answers.map(({ status }) => status))).toEqual({ 200: 0, 422: 20, 429: 100, 503: 0 });
  expect(passedOn.size).toBe(20);
  expect((await robin.connect(flowhub("one more"))).json.message).toBe(rejectedTooOften);
});

test("of the wrong passwords of users that one credential invited to many businesses, 60 reach the POS", async () => {
  const createdBy = randomUUID();
  const invite = async (by: string) => {
    const { crbId, robin } = await givenInvited(table());
    await changeCrb(table(), crbId, (crb) => ({ ...crb, createdBy: by }));
    expect((await robin.consent()).status).toBe(200);
    return robin;
  };
  const users = await Promise.all(Array.from({ length: 4 }, () => invite(createdBy)));
  const guesses = users.flatMap((user, index) =>
    Array.from({ length: 20 }, (_, guess) => () => user.connect(flowhub(`guess-${index}-${guess}`))),
  );
  const answers = await Promise.all(guesses.map((guess) => guess()));
  expect(counts(answers.map(({ status }) => status))).toEqual({ 200: 0, 422: 60, 429: 20, 503: 0 });
  expect(passedOn.size).toBe(60);
  // Users whom another credential invited are not delayed.
  expect((await (await invite(randomUUID())).connect(flowhub("another's"))).status).toBe(422);
});
