import { expect, test, vi } from "vitest";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { restorationKey, restoringOfKey } from "../../../../shared/store/keys/replication.ts";
import { useOperator } from "./useOperator.ts";

// The operator's commands on a local stage, whose queue passes the messages to the restoration worker.

const { stage, run, expectDone, expectRefused, call, spId } = useOperator();

const crbIds = () => stage().description.crbs.map(({ crb_id }) => crb_id);
const requestOf = async (crbId: string) => {
  const { client_secret } = stage().description.crbs.find(({ crb_id }) => crb_id === crbId) ?? expect.fail(crbId);
  const { status, headers, json } = await call(client_secret, `/crbs/${crbId}/customers?limit=1`);
  return { status, retryAfter: headers.get("Retry-After"), json };
};
const statuses = async () => Promise.all(crbIds().map(async (id) => (await requestOf(id)).status));
const progress = async () => (await run("lists", "progress")).out;

test("a restored stage opens business by business, after the replay of the journal, and shows its progress", async () => {
  await expectRefused("was not restored: lists restore begins", "lists", "progress");
  const [first = ""] = crbIds();
  const list = recordList(first, "customer");
  const days = await stage().table.queryPartition(list.orders.rank.dayIndexPartition);
  await stage().table.batchDelete(days);
  await expectRefused("add --yes to confirm", "lists", "restore");
  const total = crbIds().length;

  const out = await expectDone("--yes", "lists", "restore");
  expect(out).toMatch(/^Closed \d+ CRBs, and rebuilt the lists of service providers\. Now run journal replay\.\n$/);
  expect(await requestOf(first)).toMatchObject({ status: 503, retryAfter: "300", json: { code: "restoring" } });
  expect(new Set(await statuses())).toEqual(new Set([503]));
  expect(await progress()).toMatch(/^Open: 0 of \d+ CRBs\. Closed: \d+, of them 0 running\.\nEstimated end: unknown/);

  await expectDone("--yes", "journal", "replay", "--since", new Date().toISOString());
  expect(await expectDone("lists", "restore")).toMatch(/^Requested the restoration of \d+ closed CRBs; /);
  await vi.waitFor(async () => expect(new Set(await statuses())).toEqual(new Set([200])), {
    timeout: 120_000,
    interval: 500,
  });
  const done = await expectDone("lists", "progress");
  expect(done).toMatch(/^Open: (\d+) of \1 CRBs\. Closed: 0, of them 0 running\.\nNo CRB failed\.\n$/);
  expect(total).toBeGreaterThan(1);
  await expectDone("lists", "check", first);
}, 300_000);

test("a business that failed is named with its reason, and can be restored here", async () => {
  const [first = ""] = crbIds();
  await stage().table.delete(restorationKey);
  await expectDone("--yes", "lists", "restore");
  await stage().table.update(restoringOfKey(spId(), first), {
    attempts: 5,
    error: "unavailable (rebuild sale)",
    failed_at: "2026-11-20T08:00:00.000Z",
  });
  const { code, out, err } = await run("lists", "progress");
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^\d+ CRBs are closed, 1 failed\.\n$/) });
  expect(out).toMatch(
    new RegExp(`^${first}  failed +5 +unavailable \\(rebuild sale\\) +2026-11-20T08:00:00.000Z$`, "m"),
  );
  for (const command of [`replication start ${first}`, `customer erase ${first} ${first}`, `pos check ${first}`]) {
    await expectRefused("is being restored: lists progress", ...command.split(" "));
  }
  await expectRefused("run journal replay", "lists", "restore", first);
  await expectDone("--yes", "journal", "replay", "--since", new Date().toISOString());
  expect(await expectDone("lists", "restore", first)).toMatch(/^Restored and opened /);
  expect((await requestOf(first)).status).toBe(200);
  expect(await expectDone("lists", "restore", first)).toMatch(/ is not closed\.\n$/);
  const others = await run("lists", "progress", "--json");
  expect(others.code).toBe(1);
  expect(JSON.parse(others.out).map(({ crb_id }: { crb_id: string }) => crb_id)).not.toContain(first);
}, 300_000);
