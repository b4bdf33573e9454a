import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bucketName, engineAccess } from "../../../infra/local/environment.ts";
import { type Stage, startStage } from "../../../infra/local/stage.ts";
import { runningEndpoints } from "../../../infra/local/stageLock.ts";
import { bucketOf } from "../../../shared/documents/bucket.ts";
import { journalKinds, listJournal } from "../../../shared/documents/journal.ts";
import { endAssociation } from "../../../shared/onboarding/endAssociation.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { scan } from "../../chaos/tableState.ts";
import { copyDemoData } from "../../demoData.ts";
import { temporaryDirectories } from "../local/temporaryDirectories.ts";
import { operatorOn } from "./operatorOn.ts";

const data = temporaryDirectories()();
let stage: Stage;
beforeAll(async () => {
  await copyDemoData(data);
  stage = await startStage({ port: 0, data, replicateEvery: 0 });
});
afterAll(() => stage?.stop());

const { expectDone, expectRefused } = operatorOn(data);
const day = 86_400_000;
const crbAt = (index: number) => stage.description.crbs[index] ?? expect.fail("no CRB");

test("a CRB is purged once its association has ended, and is listed when that is due", async () => {
  const { objectStore } = runningEndpoints(data) ?? expect.fail("no stage");
  const bucket = bucketOf(bucketName, { endpoint: objectStore, ...engineAccess });
  const { crb_id: crbId, name } = crbAt(0);
  const end = (of: string, daysAgo: number) =>
    endAssociation(stage.table, bucket, of, systemClock, new Date(Date.now() - daysAgo * day));
  await expectRefused("is associated with service provider", "crb", "purge", crbId, "--yes");
  expect(await expectDone("crb", "due", "--all")).toBe("No association has ended.\n");

  await end(crbId, 31);
  await end(crbAt(1).crb_id, 29);
  const due = await expectDone("crb", "due");
  expect(due).toContain(`${crbId}  `);
  expect(due.trim().split("\n")).toHaveLength(2);
  expect((await expectDone("crb", "due", "--all")).trim().split("\n")).toHaveLength(3);

  const notDue = new Date(Date.now() + day).toISOString().slice(0, 10);
  await expectRefused(`It is not due before ${notDue}. Purge all`, "crb", "purge", crbAt(1).crb_id);
  await expectRefused(`Purge all that is stored of ${name}, for good?`, "crb", "purge", crbId);
  const certificate = await expectDone("crb", "purge", crbId, "--yes");
  expect(certificate).toMatch(new RegExp(`^Purged CRB ${crbId}, ${name}\\.\\n`));
  for (const [what, count] of [
    ["location records", "\\d+"],
    ["customer records", "\\d+"],
    ["search entries", "\\d{4,}"],
    ["credentials", "\\d"],
    ["backups", "none on this machine"],
  ])
    expect(certificate).toMatch(new RegExp(`  ${what} +${count}\\n`));
  expect(JSON.stringify(await scan(stage.table))).not.toContain(crbId);
  for (const prefix of [`${crbId}/`, `uploads/${crbId}/`]) expect(await bucket.list(prefix)).toEqual([]);
  await expectRefused("There is no CRB", "crb", "purge", crbId, "--yes");
  expect(await expectDone("crb", "due")).toBe("Nothing is due.\n");

  await end(crbAt(2).crb_id, 0);
  await expectRefused("has just ended: purge it from", "crb", "purge", crbAt(2).crb_id, "--yes");
}, 120_000);

test("the journal has what the operator takes away, and is replayed", async () => {
  const { objectStore } = runningEndpoints(data) ?? expect.fail("no stage");
  const bucket = bucketOf(bucketName, { endpoint: objectStore, ...engineAccess });
  const { crb_id: crbId } = crbAt(3);
  const { sp_id: spId } = stage.description.service_provider;
  const since = new Date();
  const issued = await expectDone("credential", "issue", spId);
  const clientId = /client_id +(\S+)/.exec(issued)?.[1] ?? "";
  await expectDone("credential", "revoke", clientId, "--yes");
  await expectDone("customer", "erase", crbId, randomUUID(), "--yes");
  // A pair more than the two that are good.
  for (let i = 0; i < 3; i++) await expectDone("credential", "issue", spId, "--crb", crbId, "--yes");
  await expectDone("association", "end", crbId, "--yes");
  const noted = (await listJournal(bucket, since)).map(({ kind }) => kind);
  expect(noted.slice(0, 2)).toEqual(["revocation", "erasure"]);
  expect([noted.at(-1), [...new Set(noted)].sort()]).toEqual(["end", ["end", "erasure", "revocation"]]);

  await expectRefused("--since", "journal", "replay", "--yes");
  await expectRefused("--since", "journal", "replay", "--since", "2026-11-20", "--yes");
  await expectRefused("Do again what the journal has", "journal", "replay", "--since", since.toISOString());
  const everything = await listJournal(bucket, new Date(0));
  const done = await expectDone("journal", "replay", "--since", since.toISOString(), "--yes");
  expect(done).toContain(`Done again: ${everything.length} of ${everything.length}.`);
  const later = new Date(Date.now() + 2 * day).toISOString();
  expect(await expectDone("journal", "replay", "--since", later)).toContain("The journal has nothing");

  await bucket.storeBytes(`journal/${journalKinds[0]}/${new Date().toISOString()}-x`, Buffer.from("?"));
  const { code, out, err } = await operatorOn(data).run("journal", "replay", "--since", since.toISOString(), "--yes");
  expect([code, err]).toEqual([1, "1 failed: run the same command again.\n"]);
  expect(out).toMatch(/erasure +failed: SyntaxError \(journal\/erasure\//);
}, 60_000);
