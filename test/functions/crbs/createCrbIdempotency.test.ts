import { describe, expect, test } from "vitest";
import { createBusiness } from "../../../shared/domain/crbs/createBusiness.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import type { Item } from "../../../shared/store/client.ts";
import { crbIdOf } from "../../../shared/store/idempotency.ts";
import { associationKey, crbKey, idempotencyKey, posCredentialsKey } from "../../../shared/store/keys/crbs.ts";
import { invitationsKey } from "../../../shared/store/keys/invitations.ts";
import { answersKey } from "../../../shared/store/keys/onboarding.ts";
import { dyingTable } from "../../dyingTable.ts";
import { unusedBucket } from "../../unusedBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { useCreation, user, valid } from "./useCreation.ts";

const table = useTestTable();
const { given, queued } = useCreation(table);
const body = { ...valid, users: [user] };
const withKey = (key: string) => ({ "Idempotency-Key": key });

describe("the same Idempotency-Key", () => {
  test("with the same body creates one CRB, returns the same response and sends the messages again", async () => {
    const { create, listed, spId } = await given();
    const first = await create(body, withKey("order-1"));
    const again = await create(body, { "idempotency-key": "order-1" });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(first.json.id).toBe(crbIdOf({ spId, key: "order-1", body: undefined }));
    expect(await listed()).toHaveLength(1);
    expect(queued.invitations).toEqual([{ crb_id: first.json.id }, { crb_id: first.json.id }]);
  });

  test("with the fields in another order and with white space around values has the same effect", async () => {
    const { create } = await given();
    const first = await create(body, withKey("k"));
    const { username, password } = valid.pos_info.pos_credentials;
    const again = await create(
      {
        users: [user],
        pos_info: { pos_credentials: { password, username }, pos_type: "Alleaves" },
        org: { business_type: "retail", state: "CO", name: " Sunrise Collective " },
      },
      withKey("k"),
    );
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test.each<[string, object]>([
    ["another name", { ...body, org: { ...valid.org, name: "Other" } }],
    [
      "other credentials",
      { ...body, pos_info: { ...valid.pos_info, pos_credentials: { username: "x", password: "y" } } },
    ],
    ["no users", valid],
  ])("with another body (%s) gets 422", async (_, other) => {
    const { create, listed } = await given();
    await create(body, withKey("k"));
    const { status, json } = await create(other, withKey("k"));
    const failure = { message: "was sent before in another request; use a new key", value: "k" };
    expect([status, json.fields]).toEqual([422, { "header.idempotency-key": failure }]);
    expect(await listed()).toHaveLength(1);
  });

  test("in parallel requests creates one CRB and returns one response", async () => {
    const { create, listed } = await given();
    const answers = await Promise.all([0, 1, 2, 3].map(() => create(body, withKey("k"))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await listed()).toHaveLength(1);
  });

  test("may be used by another service provider", async () => {
    const [one, other] = [await given(), await given()];
    const answers = [await one.create(body, withKey("k")), await other.create(body, withKey("k"))];
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(2);
  });

  test("gets 404 if the association of its CRB has ended, and creates and requests nothing", async () => {
    const { create, listed } = await given();
    const { json } = await create(body, withKey("k"));
    await endAssociation(table(), unusedBucket, json.id);
    const countBefore = queued.invitations.length;
    const again = await create(body, withKey("k"));
    expect([again.status, again.json.name]).toEqual([404, "Not Found"]);
    expect(await listed()).toEqual([]);
    expect(queued.invitations).toHaveLength(countBefore);
    expect((await create(body, withKey("k-2"))).status).toBe(200);
  });

  test("is forgotten after 24 hours, whether or not the table has removed it", async () => {
    const { create, spId, listed } = await given();
    const first = await create({ org: valid.org, users: [user] }, withKey("k"));
    const key = idempotencyKey(spId, "k");
    const item = (await table().get(key)) as Item;
    expect((item.expires as number) - Date.now() / 1000).toBeGreaterThan(24 * 3600 - 60);
    await table().put({ ...item, expires: Math.floor(Date.now() / 1000) });
    const second = await create(body, withKey("k"));
    expect(second.status).toBe(409);
    const third = await create({ org: { ...valid.org, name: "Later" }, users: [user] }, withKey("k"));
    expect(third.status).toBe(200);
    expect(third.json.id).not.toBe(first.json.id);
    await table().delete(key);
    const fourth = await create({ org: { ...valid.org, name: "Last" }, users: [user] }, withKey("k"));
    expect(fourth.status).toBe(200);
    expect(await listed()).toHaveLength(3);
  });

  test("creates the CRB if a restore has only its mention in the index by organization", async () => {
    const { create, listed, spId } = await given();
    const { json } = await create(valid, withKey("k"));
    await table().batchDelete([crbKey(json.id), associationKey(spId, json.id), idempotencyKey(spId, "k")]);
    expect(await create(valid, withKey("k"))).toMatchObject({ status: 200, json: { id: json.id } });
    expect(await listed()).toMatchObject([{ id: json.id }]);
    expect((await create(valid)).json).toMatchObject({ code: "already_connected", data: { org_id: json.id } });
  });

  test("can be used again after a rejected request", async () => {
    const { create } = await given();
    await create(valid);
    expect((await create(body, withKey("k"))).status).toBe(409);
    expect((await create({ ...body, org: { ...valid.org, name: "Other" } }, withKey("k"))).status).toBe(200);
  });
});

test.each<[string, string]>([
  ["empty", ""],
  ["of 256 characters", "x".repeat(256)],
  ["with a blank", "a b"],
  ["beyond ASCII", "clé"],
])("an Idempotency-Key %s gets 422, together with the errors of the body", async (_, key) => {
  const { create } = await given();
  const { status, json } = await create({ ...body, x: 1 }, withKey(key));
  expect([status, Object.keys(json.fields).sort()]).toEqual([422, ["body.x", "header.idempotency-key"]]);
  expect(json.fields["header.idempotency-key"].value).toBe(key.slice(0, 200));
});

test("an Idempotency-Key of 255 visible characters is accepted", async () => {
  const { create } = await given();
  expect((await create(body, withKey("~!#".repeat(85)))).status).toBe(200);
});

describe("a creation that is killed before or after any call of the table", () => {
  /** The items of one creation, found by their required fields. */
  async function storedOf(spId: string, crbId: string) {
    const keys = [posCredentialsKey(crbId), answersKey(crbId), invitationsKey(crbId), idempotencyKey(spId, "k")];
    return (await table().batchGet(keys, { consistent: true })).size;
  }

  test("stores everything or nothing, and the same call again completes it", async () => {
    let finished = 0;
    let storedThenKilled = 0;
    for (let victim = 0; finished < 2; victim++) {
      const { spId, listed, create } = await given();
      const crashing = dyingTable(table(), victim);
      const creation = createBusiness(crashing, { spId, body: body as never, idempotencyKey: "k" });
      const killed = await creation.then(
        () => false,
        (error: Error) => error.message === "killed",
      );
      const stored = await listed();
      expect(await storedOf(spId, crbIdOf({ spId, key: "k", body }))).toBe(stored.length * 4);
      if (killed) storedThenKilled += stored.length;
      else finished++;
      const { status, json } = await create(body, withKey("k"));
      expect(status).toBe(200);
      expect((await listed()).map(({ id }) => id)).toEqual([json.id]);
      expect(queued.invitations.at(-1)).toEqual({ crb_id: json.id });
      expect(await storedOf(spId, json.id)).toBe(4);
    }
    expect(storedThenKilled).toBe(1);
  });
});
