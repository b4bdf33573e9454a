import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { onboardingWithLicenses } from "../../../shared/api/schemas/onboarding.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { linkLicense } from "../../../shared/domain/linkedLicenses/linkLicense.ts";
import { unlinkLicense } from "../../../shared/domain/linkedLicenses/unlinkLicense.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { linkedLicensesPartition } from "../../../shared/store/keys/licenses.ts";
import { importRows, licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { crashAt, crashPoints, letCallsPass, sides, writesOf } from "../../shared/store/crashInjection.ts";
import { eventsOf } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { type Calls, interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenInvited, termsEnvironment } from "./givenInvited.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket();
let calls: Calls;
beforeAll(() => {
  for (const [name, value] of Object.entries(termsEnvironment)) vi.stubEnv(name, value);
  calls = interceptCalls(serviceTable());
});
afterAll(() => void vi.unstubAllEnvs());

/** Two licenses share the number "T-1". */
beforeEach(async () => {
  await importRows([
    { number: "R-1", expires_in: 400 },
    { number: "R-2", expires_in: 20 },
    { number: "T-1", values: { licensing_authority_name: "City" } },
    { number: "T-1", values: { licensing_authority_name: "State" } },
  ]);
});

async function given() {
  const invited = await givenInvited(table());
  const { robin, kim, spId } = invited;
  const enter = (user: typeof robin, ...license_numbers: string[]) =>
    user.call("linkOnboardingLicenses", { body: { license_numbers } });
  const confirm = (user: typeof robin, license_numbers: string[], confirmed_licenses: string[]) =>
    user.call("linkOnboardingLicenses", { body: { license_numbers, confirmed_licenses } });
  const remove = (user: typeof robin, license_id: string) =>
    user.call("unlinkOnboardingLicense", { path: { license_id } });
  const events = async () =>
    (await eventsOf(table(), spId))
      .filter(({ type }) => type.startsWith("license."))
      .map(({ type, data }) => [type, data]);
  const linked = async () =>
    (await robin.read()).json.licenses.map(
      ({ license_identifier: number, status }: Record<string, string>) => `${number} ${status}`,
    );
  return { ...invited, enter, confirm, remove, events, linked, robin, kim };
}

test("an invited user links the licenses whose numbers exactly one license has, and all users see them", async () => {
  const { robin, kim, enter, linked } = await given();
  expect((await robin.read()).json.licenses).toEqual([]);
  const { status, json } = await enter(robin, " r-1 ", "T-1", "R-9");
  expect(status).toBe(200);
  expect(json.unmatched_licenses).toEqual(["T-1", "R-9"]);
  expect(json.licenses).toEqual([
    {
      id: await licenseIdOf("R-1"),
      license_identifier: "R-1",
      licensee: expect.any(String),
      trade_names: [],
      licensing_authority_name: expect.any(String),
      holder_matches: "different",
      linked_by_kind: "invited_user",
      status: "active",
      expires_at: expect.any(String),
    },
  ]);
  expect((await kim.read()).json.licenses).toEqual(json.licenses);
  expect(await linked()).toEqual(["R-1 active"]);
});

test("a repetition links nothing again and sends no second notice, also of two users at once", async () => {
  const { robin, kim, enter, events, linked } = await given();
  const answers = await Promise.all([enter(robin, "R-1", "R-2"), enter(kim, "R-2", "R-1")]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await enter(robin, "R-2", "r-2");
  expect((await linked()).sort()).toEqual(["R-1 active", "R-2 expiring"]);
  expect((await events()).map(([type]) => type).sort()).toEqual([
    "license.expiring",
    "license.linked",
    "license.linked",
  ]);
});

test("a license is linked only after its confirmation, and the service provider learns who linked it", async () => {
  await importRows([
    { number: "R-1", values: { licensee: "Someone Unrelated Corp", businesses: "Unrelated Flowers" } },
    { number: "R-3", values: { licensee: "" } },
  ]);
  const { robin, confirm, linked, events } = await given();
  const { business } = (await robin.read()).json;
  await importRows([
    { number: "R-1", values: { licensee: "Someone Unrelated Corp", businesses: "Unrelated Flowers" } },
    { number: "R-2", values: { licensee: `${business.name.toUpperCase()}, L.L.C.` } },
    { number: "R-3", values: { licensee: "" } },
  ]);
  const answer = await confirm(robin, ["R-1", "R-2", "R-3", "R-9"], []);
  expect(onboardingWithLicenses.parse(answer.json)).toEqual(answer.json);
  expect(answer.json.unmatched_licenses).toEqual(["R-9"]);
  const shown = answer.json.unconfirmed_licenses.map(
    ({ license_identifier, licensee, trade_names, holder_matches }: Record<string, unknown>) => [
      license_identifier,
      licensee,
      trade_names,
      holder_matches,
    ],
  );
  expect(shown.sort()).toEqual([
    ["R-1", "Someone Unrelated Corp", ["Unrelated Flowers"], "different"],
    ["R-2", `${business.name.toUpperCase()}, L.L.C.`, [], "same"],
    ["R-3", null, [], null],
  ]);
  expect([await linked(), await events()]).toEqual([[], []]);

  const id = await licenseIdOf("R-2");
  const confirmed = await confirm(robin, ["R-1", "R-2"], [id]);
  expect(confirmed.json.unconfirmed_licenses).toMatchObject([{ license_identifier: "R-1" }]);
  expect(await linked()).toEqual(["R-2 active"]);
  const eventData = { license_id: id, linked_by: robin.id, linked_by_kind: "invited_user", holder_matches: "same" };
  expect(await events()).toEqual([["license.linked", eventData]]);
  // A confirmed id without its number links nothing.
  await confirm(robin, ["R-1"], [await licenseIdOf("R-3")]);
  expect(await linked()).toEqual(["R-2 active"]);
  const asAgain = await confirm(robin, ["R-2"], []);
  expect(asAgain.json.unconfirmed_licenses).toEqual([]);
});

test("users remove what users linked, and nothing else", async () => {
  const { robin, kim, enter, remove, spId, crbId, linked, events } = await given();
  await enter(robin, "R-1");
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const provided = await licenseIdOf("R-2");
  for (const by of [{ kind: "service_provider", id: spId } as const, undefined]) {
    await linkLicense(stores, { spId, crbId, licenseId: provided, ...(by && { by }) });
    const refused = await remove(robin, provided);
    expect([refused.status, refused.json.code]).toEqual([409, "license_of_provider"]);
    expect((await linked()).sort()).toEqual(["R-1 active", "R-2 expiring"]);
    await unlinkLicense(serviceTable(), { spId, crbId, licenseId: provided });
  }
  const id = await licenseIdOf("R-1");
  const other = await given();
  expect((await remove(other.robin, id)).status).toBe(404);
  const removed = await remove(kim, id);
  expect([removed.status, removed.json.licenses]).toEqual([200, []]);
  expect((await events()).at(-1)).toEqual([
    "license.unlinked",
    { license_id: id, unlinked_by: kim.id, unlinked_by_kind: "invited_user" },
  ]);
  expect((await remove(kim, id)).status).toBe(404);
  expect(Object.keys((await remove(kim, "R-1")).json.fields)).toEqual(["path.license_id"]);
});

test("a call that is killed at any write is completed by its repetition", async () => {
  const first = await given();
  const count = await writesOf(calls, () => first.enter(first.robin, "R-1", "R-2"));
  expect(count).toBeGreaterThan(1);
  for (const write of crashPoints(count)) {
    for (const side of sides) {
      const { robin, enter, events, linked } = await given();
      crashAt(calls, write, side);
      await enter(robin, "R-1", "R-2").catch(() => undefined);
      letCallsPass(calls);
      expect((await enter(robin, "R-1", "R-2")).json.unmatched_licenses).toEqual([]);
      expect((await linked()).sort(), `killed ${side} write ${write}`).toEqual(["R-1 active", "R-2 expiring"]);
      expect((await events()).map(([type]) => type).sort(), `killed ${side} write ${write}`).toEqual([
        "license.expiring",
        "license.linked",
        "license.linked",
      ]);
    }
  }
});

test("a license that the service provider unlinks disappears from the page and can be entered again", async () => {
  const { robin, enter, spId, crbId, linked } = await given();
  await enter(robin, "R-1");
  await unlinkLicense(serviceTable(), { spId, crbId, licenseId: await licenseIdOf("R-1") });
  expect(await linked()).toEqual([]);
  await enter(robin, "R-1");
  expect(await linked()).toEqual(["R-1 active"]);
});

test("no license beyond the hundredth is linked", async () => {
  await importRows(Array.from({ length: 101 }, (_, i) => ({ number: `N-${i}` })));
  const { robin, enter, spId, crbId } = await given();
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  for (let i = 0; i < 99; i++) await linkLicense(stores, { spId, crbId, licenseId: await licenseIdOf(`N-${i}`) });
  const { status, json } = await enter(robin, "N-98", "N-99", "N-100");
  expect([status, json.code]).toEqual([409, "license_limit"]);
  expect((await robin.read()).json.licenses).toHaveLength(100);
  expect((await enter(robin, "N-5")).status).toBe(200);
});

test("numbers are rejected if there are more than ten, or one is empty or too long", async () => {
  const { robin, enter } = await given();
  const fields = async (...numbers: string[]) => Object.keys((await enter(robin, ...numbers)).json.fields);
  expect(await fields(...Array.from({ length: 11 }, (_, i) => `N-${i}`))).toEqual(["body.license_numbers"]);
  expect(await fields("R-1", " ")).toEqual(["body.license_numbers.1"]);
  expect(await fields("x".repeat(5_000))).toEqual(["body.license_numbers.0"]);
});

test("after the end of the association nothing is linked any more", async () => {
  const { robin, enter, spId, crbId } = await given();
  await enter(robin, "R-1");
  let isEnded = false;
  calls.before = async (command) => {
    if (!command.startsWith("TransactWrite") || isEnded) return;
    isEnded = true;
    letCallsPass(calls);
    await endAssociation(table(), serviceBucket(), crbId);
  };
  const { status } = await enter(robin, "R-2");
  letCallsPass(calls);
  expect([isEnded, [401, 404].includes(status)]).toEqual([true, true]);
  expect(await table().queryPartition(linkedLicensesPartition(spId))).toEqual([]);
  expect((await enter(robin, "R-1")).status).toBe(401);
});
