import { describe, expect, test } from "vitest";
import { requireNotConnected } from "../../../shared/domain/crbs/requireNotConnected.ts";
import { endInvitation } from "../../../shared/domain/invitations/endInvitation.ts";
import { invitationsOf } from "../../../shared/domain/invitations/invitations.ts";
import { withdrawInvitation } from "../../../shared/domain/invitations/withdrawInvitation.ts";
import type { Item } from "../../../shared/store/client.ts";
import type { Crb } from "../../../shared/store/crb.ts";
import { changeCrb } from "../../../shared/store/crbs.ts";
import { crbKey } from "../../../shared/store/keys/crbs.ts";
import { useTestTable } from "../../useTestTable.ts";
import { useCreation, user, valid } from "./useCreation.ts";

const table = useTestTable();
const { given } = useCreation(table);

const { ein: _, ...org } = { ein: undefined, ...valid.org, name: "Prairie Leaf" };
const other = { ...user, email: "sam.ortiz@prairie.example.com" };
const ein = "84-7654321";
const now = "2026-02-01T10:00:00.000Z";
const invite = (changes: object = {}, users: object[] = [user]) => ({ org: { ...org, ...changes }, users });

describe("an invitation that is sent again", () => {
  test.each<[string, object, object]>([
    ["the same body", invite(), invite()],
    [
      "another letter case of name and address",
      invite(),
      invite({ name: "PRAIRIE  leaf" }, [{ ...user, email: user.email.toUpperCase() }]),
    ],
    ["one common user of several", invite({}, [other, user]), invite({}, [user, { ...user, email: "x@example.com" }])],
    ["the same EIN, with another name and user", invite({ ein }), invite({ ein, name: "Prairie Leaf LLC" }, [other])],
  ])("with %s gets 409 with the id of the CRB", async (_name, first, second) => {
    const { create, listed } = await given();
    const { json } = await create(first);
    const again = await create(second);
    expect([again.status, again.json.code]).toEqual([409, "already_invited"]);
    expect(again.json.data).toEqual({ org_id: json.id, name: json.name });
    expect(await listed()).toHaveLength(1);
  });

  test("in parallel makes one CRB", async () => {
    const { create, listed } = await given();
    const answers = await Promise.all([0, 1, 2, 3].map(() => create(invite())));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await listed()).toHaveLength(1);
  });
});

describe("a second business can be invited", () => {
  test.each<[string, object, object]>([
    ["with the same name and another user", invite(), invite({}, [other])],
    ["with the same name in another state", invite(), invite({ state: "NV" })],
    ["by the same user under another name", invite(), invite({ name: "Prairie Root" })],
    ["with another EIN and another user", invite({ ein }), invite({ ein: "84-7654322" }, [other])],
  ])("%s", async (_name, first, second) => {
    const { create, listed } = await given();
    await create(first);
    expect((await create(second)).status).toBe(200);
    expect(await listed()).toHaveLength(2);
  });

  test("by another service provider", async () => {
    await (await given()).create(invite());
    expect((await (await given()).create(invite())).status).toBe(200);
  });

  test("once each invitation of the first CRB has ended", async () => {
    const { create } = await given();
    const users = [user, other];
    const { json } = await create(invite({ ein }, users));
    const [one, two] = invitationsOf(json.id, users as never);
    await withdrawInvitation(table(), json.id, one?.id ?? "");
    expect((await create(invite({ ein }, users))).status).toBe(409);
    await withdrawInvitation(table(), json.id, two?.id ?? "");
    expect((await create(invite({ ein }, users))).status).toBe(200);
  });

  test("with credentials of its POS, once each invitation of the first CRB has ended", async () => {
    const { create } = await given();
    const { json } = await create(invite({ ein }, [user, other]));
    const [one, two] = invitationsOf(json.id, [user, other] as never);
    await withdrawInvitation(table(), json.id, one?.id ?? "");
    await expect(requireNotConnected(table(), [json.id])).rejects.toMatchObject({
      details: { code: "already_connected" },
    });
    await withdrawInvitation(table(), json.id, two?.id ?? "");
    const checks = await requireNotConnected(table(), [json.id]);
    // A user with a link from elsewhere connects the first one meanwhile.
    const connect = (crb: Crb): Crb => ({
      ...crb,
      connection: { posType: "Blaze", locationId: null, connectedAt: now },
    });
    const before = await table().get(crbKey(json.id));
    await changeCrb(table(), json.id, connect);
    await expect(table().transact(checks)).rejects.toThrow(/ConditionalCheckFailed/);
    await table().put(before as Item);
    const connected = { ...valid, ...invite({ ein }, []) };
    expect((await create(connected)).status).toBe(200);
    expect((await create(connected)).json.code).toBe("already_connected");
  });

  test("after a mail that no attempt was made for, the invitation is still open", async () => {
    const { create } = await given();
    const { json } = await create(invite());
    const [one] = invitationsOf(json.id, [user] as never);
    await endInvitation(table(), json.id, one?.id ?? "", "bounced", new Date().toISOString());
    expect((await create(invite())).status).toBe(409);
  });
});
