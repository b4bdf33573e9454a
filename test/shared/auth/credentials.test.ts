import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { issueCredential, listCredentials } from "../../../shared/auth/credentials.ts";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { credentialKey } from "../../../shared/store/keys/credentials.ts";
import { createTestTable } from "../../testTable.ts";
import { TestClock } from "../store/orderedList/listUnderTest.ts";

afterEach(() => void vi.useRealTimers());

test("credentials are listed from the newest, with all their fields except the digest", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const table = await createTestTable();
  const spId = randomUUID();
  const owner = { kind: "serviceProvider" as const, id: spId };
  const days = ["2026-03-02", "2026-03-04", "2026-03-01", "2026-03-03", "2026-03-05"];
  const ids: string[] = [];
  for (const day of days) {
    vi.setSystemTime(Date.parse(day));
    const { client_id } = await issueCredential(table, { owner, spId, scopes: ["admin"], issuedBy: ids[0] });
    ids.push(client_id);
  }
  await revokeCredential(table, ids[1] ?? "", {}, new TestClock("2026-04-01"));
  const listed = await listCredentials(table, spId);
  expect(listed.map(({ created_at }) => created_at.slice(0, 10))).toEqual(days.toSorted().reverse());
  const [first, second] = ids as [string, string];
  const common = { owner, sp_id: spId, scopes: ["admin"] };
  expect(listed[1]).toEqual({
    ...credentialKey(second),
    ...common,
    client_id: second,
    issued_by: first,
    created_at: "2026-03-04T00:00:00.000Z",
    revoked_at: "2026-04-01T00:00:00.000Z",
  });
  expect(listed[3]).toEqual({
    ...credentialKey(first),
    ...common,
    client_id: first,
    created_at: "2026-03-02T00:00:00.000Z",
  });
});
