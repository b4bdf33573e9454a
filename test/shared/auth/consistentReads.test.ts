import { randomUUID } from "node:crypto";
import type { BatchGetItemCommandInput, GetItemCommandInput, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { beforeAll, expect, test } from "vitest";
import type { Route } from "../../../shared/api/operation.ts";
import { authenticateClient } from "../../../shared/auth/authenticateClient.ts";
import { authorize } from "../../../shared/auth/authorize.ts";
import { countToken } from "../../../shared/auth/countToken.ts";
import { findSurplusPairs, issueCrbAccess } from "../../../shared/auth/crbAccess.ts";
import { readCredentialPage } from "../../../shared/auth/credentialPages.ts";
import { issueCredential, listCredentials, loadCredential } from "../../../shared/auth/credentials.ts";
import { newInvitationToken } from "../../../shared/auth/invitationTokens.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { crbScopes, serviceProviderScopes } from "../../../shared/auth/scopes.ts";
import { secretInHeader } from "../../../shared/auth/secrets.ts";
import type { Table } from "../../../shared/store/client.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { revoking } from "../../revoking.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { interceptCalls } from "../store/orderedList/listUnderTest.ts";

// DynamoDB may return stale data to an eventually consistent read: a credential that was just revoked would still be
// valid. The test database always returns the newest data, so this test checks the requests themselves.

const [spId, crbId] = [randomUUID(), randomUUID()];
const table = useTestTable();
beforeAll(() => table().put({ ...associationKey(spId, crbId) }));

const route: Route = {
  operationId: "x",
  method: "GET",
  path: "/service-providers/{sp_id}/crbs/{crb_id}",
  caller: "serviceProvider",
  scope: "service-provider:read",
};
const invitedRoute: Route = { operationId: "y", method: "GET", path: "/onboarding", caller: "invitedUser" };
const invitationId = randomUUID();

interface Issued {
  client_id: string;
  secret: string;
}

test.each<[string, (by: Table, issued: Issued) => Promise<unknown>]>([
  [
    "a request",
    (by, { secret }) => authorize(by, route, { sp_id: spId, crb_id: crbId }, secretInHeader(secret), "192.0.2.1"),
  ],
  [
    "a request of an invited user",
    async (by) => {
      const { token, write } = await newInvitationToken(by, { invitationId, crbId, spId }, new Date());
      await by.transact([write]);
      return authorize(by, invitedRoute, {}, secretInHeader(token), "192.0.2.1");
    },
  ],
  [
    "an exchange",
    (by, { client_id, secret }) =>
      authenticateClient(by, { client_id, client_secret: secret }, { authorization: undefined, address: "192.0.2.1" }),
  ],
  ["a token", (by, { client_id }) => countToken(by, client_id, 1_800_000_000)],
  [
    "a pair",
    (by, { client_id }) =>
      issueCrbAccess(by, { spId, crbId, scopes: crbScopes, issuedBy: client_id, beforeRevocation: revoking }),
  ],
  ["the pairs that the next one ends", (by) => findSurplusPairs(by, spId, crbId)],
  ["a list of credentials", (by) => listCredentials(by, spId)],
  ["a page of credentials", (by) => readCredentialPage(by, spId, { offset: 0, limit: 10 })],
  ["a credential", (by, { client_id }) => loadCredential(by, spId, client_id)],
  ["a revocation", (by, { client_id }) => revokeCredential(by, client_id)],
])("the reads that decide about %s are strongly consistent", async (_, work) => {
  const owner = { kind: "serviceProvider" as const, id: spId };
  const issued = await issueCredential(table(), { owner, spId, scopes: serviceProviderScopes });
  await issueCrbAccess(table(), { spId, crbId, scopes: crbScopes, beforeRevocation: revoking });
  const watched = testTableOf(table());
  const consistent: (boolean | undefined)[] = [];
  interceptCalls(watched).before = (command, input) => {
    if (command === "BatchGetItemCommand")
      for (const request of Object.values((input as BatchGetItemCommandInput).RequestItems ?? {}))
        consistent.push(request.ConsistentRead);
    if (command === "GetItemCommand" || command === "QueryCommand")
      consistent.push((input as GetItemCommandInput | QueryCommandInput).ConsistentRead);
  };
  await work(watched, issued);
  expect(consistent.length).toBeGreaterThan(0);
  expect(new Set(consistent)).toEqual(new Set([true]));
});
