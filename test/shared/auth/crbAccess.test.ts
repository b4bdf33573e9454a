import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findSurplusPairs, issueCrbAccess } from "../../../shared/auth/crbAccess.ts";
import { revokeCredentials } from "../../../shared/auth/revoke.ts";
import { crbScopes } from "../../../shared/auth/scopes.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { issuedCredentialsKey } from "../../../shared/store/keys/credentials.ts";
import { revoking } from "../../revoking.ts";
import { createTestTable } from "../../testTable.ts";

test("the pair that the next one revokes is known, and revoked pairs are not kept", async () => {
  const table = await createTestTable();
  const [spId, crbId] = [randomUUID(), randomUUID()];
  await table.put({ ...associationKey(spId, crbId) });
  const issue = async () =>
    (await issueCrbAccess(table, { spId, crbId, scopes: crbScopes, beforeRevocation: revoking })).client_id;
  const ended = () => findSurplusPairs(table, spId, crbId);
  expect(await ended()).toEqual([]);
  const first = await issue();
  expect(await ended()).toEqual([]);
  const second = await issue();
  expect(await ended()).toEqual([first]);
  const third = await issue();
  expect(await ended()).toEqual([second]);
  expect(await table.get(issuedCredentialsKey(spId, crbId))).toMatchObject({ client_ids: [third, second] });
  await revokeCredentials(table, [second]);
  expect(await ended()).toEqual([]);
});
