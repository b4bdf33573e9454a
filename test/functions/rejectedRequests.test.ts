import { randomUUID } from "node:crypto";
import type { BatchGetItemCommandInput, GetItemCommandInput } from "@aws-sdk/client-dynamodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueCredential } from "../../shared/auth/credentials.ts";
import { newInvitationToken } from "../../shared/auth/invitationTokens.ts";
import { createSecret } from "../../shared/auth/secrets.ts";
import { issueToken } from "../../shared/auth/tokens.ts";
import { associationKey } from "../../shared/store/keys/crbs.ts";
import { testContext } from "../requestEvent.ts";
import { useTestTable } from "../useTestTable.ts";
import { loadHandler, routes, sampleEvent } from "./callHandler.ts";

// Handlers read nothing before access is allowed (docs/spec.md#rejected-requests). A rejected request causes only the one read
// of the authorization, whatever else it holds.

const table = useTestTable();
const [spId, crbId] = [randomUUID(), randomUUID()];
const secrets = { own: "", token: "", foreign: "", crb: "", foreignCrb: "", powerless: "", invited: "" };

const calls: { command: string; input: unknown }[] = [];

beforeAll(async () => {
  await table().put({ ...associationKey(spId, crbId) });
  const serviceProvider = (id: string) => ({ owner: { kind: "serviceProvider" as const, id }, spId: id });
  const crb = (id: string) => ({ owner: { kind: "crb" as const, id }, spId });
  const issue = async (of: ReturnType<typeof serviceProvider> | ReturnType<typeof crb>, scopes = ["admin"] as const) =>
    issueCredential(table(), { ...of, scopes });
  const own = await issue(serviceProvider(spId));
  secrets.own = own.secret;
  const principal = { ...serviceProvider(spId), clientId: own.client_id, scopes: ["trace" as const] };
  secrets.token = (await issueToken(table(), principal, ["trace"])).access_token;
  secrets.foreign = (await issue(serviceProvider(randomUUID()))).secret;
  secrets.crb = (await issue(crb(crbId))).secret;
  secrets.foreignCrb = (await issue(crb(randomUUID()))).secret;
  secrets.powerless = (await issueCredential(table(), { ...serviceProvider(spId), scopes: [] })).secret;
  const invited = await newInvitationToken(table(), { invitationId: randomUUID(), crbId, spId }, new Date());
  await table().transact([invited.write]);
  secrets.invited = invited.token;
  table().client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (request) => {
        calls.push({ command: commandName, input: request.input });
        return next(request);
      },
    { step: "initialize", name: "countCalls" },
  );
});
beforeEach(() => void calls.splice(0));

async function rejection(route: (typeof routes)[number], authorization: string | undefined, ids = {}) {
  const handler = await loadHandler(route.operation.handler);
  const event = sampleEvent(route, authorization, { sp_id: spId, crb_id: crbId, kind: "customers", ...ids });
  const needed = route.operationId === "searchCrbCustomers" ? { phone: ["1"] } : {};
  return (await handler({ ...event, multiValueQueryStringParameters: needed }, testContext)).statusCode;
}

/** The only read fetches the credential, the token and the association; at the token exchange only the credential. */
function expectOneReadAtMost() {
  expect(calls.length).toBeLessThanOrEqual(1);
  for (const { command, input } of calls) {
    expect(["BatchGetItemCommand", "GetItemCommand"]).toContain(command);
    const { RequestItems = {} } = input as BatchGetItemCommandInput;
    const singleRead = Object.values(RequestItems)[0] ?? { ...(input as GetItemCommandInput), Keys: [{}] };
    expect(singleRead.ConsistentRead).toBe(true);
    // The credential, the token, the association, and whether the CRB is restored.
    expect(singleRead.Keys?.length).toBeLessThanOrEqual(4);
  }
}

function expectOneRead() {
  expect(calls).toHaveLength(1);
  expectOneReadAtMost();
}

// One route needs no credential.
describe.each(routes.filter(({ caller }) => caller !== "nobody"))(
  "$operationId reads at most the authorization for a request",
  (route) => {
    const isCrbs = route.caller === "crb";
    const isOpen = route.caller === "anyone";
    const namesCrb = route.path.includes("{crb_id}");

    // The token exchange finds no credential for the id in its sample body.
    test.each<[string, () => string | undefined]>([
      ["without a credential", () => undefined],
      ["with text of no form", () => "Basic eDp5"],
      ["with a made-up key", () => createSecret("sk", randomUUID())],
      ["with a made-up token", () => createSecret("at", randomUUID())],
      ["with a made-up invitation token", () => createSecret("iv", randomUUID())],
      ["with an invitation token that was altered", () => `${secrets.invited.slice(0, -4)}AAAA`],
      ["with a key that was altered", () => `${secrets.own.slice(0, -4)}AAAA`],
    ])("%s", async (_, authorization) => {
      expect(await rejection(route, authorization())).toBe(401);
      expectOneReadAtMost();
    });

    if (isOpen) return;

    if (route.caller === "invitedUser") {
      test.each([
        ["a service provider's", () => secrets.own],
        ["a service provider's token", () => secrets.token],
        ["a CRB's", () => secrets.crb],
      ])("with a valid credential: %s", async (_, authorization) => {
        expect(await rejection(route, authorization())).toBe(403);
        expectOneRead();
      });
      return;
    }

    test("with an invitation token", async () => {
      expect(await rejection(route, secrets.invited)).toBe(403);
      expectOneRead();
    });

    test.each<[string, number, () => string, Record<string, string>?]>([
      ["of the other path family", 403, () => (isCrbs ? secrets.own : secrets.crb)],
      ["without the scope", 403, () => (isCrbs ? secrets.token : secrets.powerless)],
      ["by a token without the scope", 403, () => secrets.token],
      ["of another owner", isCrbs ? 404 : 403, () => (isCrbs ? secrets.foreignCrb : secrets.foreign)],
    ])("with a valid credential %s", async (_, status, authorization) => {
      expect(await rejection(route, authorization())).toBe(status);
      expectOneRead();
    });

    if (!namesCrb || isCrbs) return;

    test("for a CRB that is not associated", async () => {
      expect(await rejection(route, secrets.own, { crb_id: randomUUID() })).toBe(404);
      expectOneRead();
    });

    test("for an id that is no uuid", async () => {
      expect(await rejection(route, secrets.own, { crb_id: "x" })).toBe(422);
      expectOneRead();
    });
  },
);
