import { randomUUID } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { listJournal } from "../../../../shared/domain/documents/journal.ts";
import { runningExportKey } from "../../../../shared/store/keys/exports.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { usePurge } from "../../../shared/domain/crbs/purge/usePurge.ts";
import { isLogged } from "../../../shared/store/eventLog/eventsUnderTest.ts";
import { scan } from "../../../tableState.ts";
import { useTestIdentity } from "../../../useTestIdentity.ts";
import { operatorOn } from "./operatorOn.ts";

const { table, fill, provider } = usePurge();
useTestIdentity();
beforeEach(() => void vi.stubEnv("STAGE", "sandbox"));

const { run, expectDone, expectRefused } = operatorOn("--stage", "sandbox");

const day = 86_400_000;
const dayFromNow = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
const end = (crbId: string, daysAgo: number) =>
  endAssociation(table(), serviceBucket(), crbId, systemClock, new Date(Date.now() - daysAgo * day));

test("a CRB can be purged after its association has ended, and is listed when that is due", async () => {
  const [{ crbId }, { crbId: other }] = [await fill("Due", 4), await fill("Not due yet", 2)];
  await expectRefused("is associated with service provider", "crb", "purge", crbId, "--yes");
  expect(await expectDone("crb", "due", "--all")).toBe("No association has ended.\n");
  await end(crbId, 31);
  await end(other, 0);
  const due = await expectDone("crb", "due");
  expect(due.trim().split("\n")).toHaveLength(2);
  expect(due).toMatch(new RegExp(`\\n${crbId}  ${dayFromNow(-31)}T\\S+  ${dayFromNow(-1)}  - +Due\\n`));
  expect((await expectDone("crb", "due", "--all")).trim().split("\n")).toHaveLength(3);

  await expectRefused(
    `The purge is not due before ${dayFromNow(30)}. Purge all stored data of Not due yet`,
    "crb",
    "purge",
    other,
  );
  await expectRefused(
    "Not due yet has just ended and requests may still be running: purge it after",
    "crb",
    "purge",
    other,
    "--yes",
  );
  await expectRefused("sandbox: Purge all stored data of Due? This cannot be undone.", "crb", "purge", crbId);
  // An export whose worker was killed.
  await table().put({ ...runningExportKey(provider().spId), crb_id: crbId });
  const certificate = await expectDone("crb", "purge", crbId, "--yes");
  expect(certificate).toMatch(new RegExp(`^Purged CRB ${crbId}, Due\\.\\n`));
  for (const fact of [
    `at +${dayFromNow(0)}T`,
    `association ended +${dayFromNow(-31)}T`,
    `from +table ${table().name}, bucket documents`,
    "customer records +\\d+",
    "index entries +\\d\\d+",
    "object versions +\\d+",
    "credentials +3",
    "table +keeps a digest",
    `backups +the table's contain the data until ${dayFromNow(35)}`,
    "events +keep the id until they expire, 30 days after they were stored",
    "deliveries +keep the id until 30 days after the attempt; up to 60 days after the event if it was replayed",
  ])
    expect(certificate).toMatch(new RegExp(`\n  ${fact}`));
  const left = (await scan(table())).filter((item) => !isLogged(item));
  expect(JSON.stringify(left)).not.toContain(crbId);
  await expectRefused("There is no CRB", "crb", "purge", crbId, "--yes");
  expect(await expectDone("crb", "due")).toBe("Nothing is due.\n");
}, 240_000);

test("the operator's removals are in the journal, and its replay repeats them", async () => {
  const { spId } = provider();
  const { crbId } = await fill("Journal", 2);
  const since = new Date();
  const issued = await expectDone("credential", "issue", spId);
  await expectDone("credential", "revoke", /client_id +(\S+)/.exec(issued)?.[1] ?? "", "--yes");
  const certificate = await expectDone("customer", "erase", crbId, randomUUID(), "--yes");
  expect(certificate).toMatch(new RegExp(`backups +the table's contain the data until ${dayFromNow(35)}`));
  expect(certificate).toMatch(new RegExp(`exports +.*; their versions in the bucket until ${dayFromNow(2)}`));
  // The CRB already has two pairs.
  await expectDone("credential", "issue", spId, "--crb", crbId, "--yes");
  await expectDone("association", "end", crbId, "--yes");
  const kindsSince = async () => (await listJournal(serviceBucket(), since)).map(({ kind }) => kind);
  expect(await kindsSince()).toEqual(["revocation", "erasure", "revocation", "end"]);

  for (const wrong of [[], ["--since", "2026-11-20"], ["--since", "soon"]]) {
    await expectRefused("--since 2026-11-20T08:00:00Z", "journal", "replay", "--yes", ...wrong);
  }
  await expectRefused(
    "erasure 1, end 1, purge 1, withdrawal 0, disconnection 0, revocation",
    "journal",
    "replay",
    "--since",
    since.toISOString(),
  );
  const all = (await listJournal(serviceBucket(), new Date(Date.now() - day))).length;
  expect(await expectDone("journal", "replay", "--since", since.toISOString(), "--yes")).toBe(
    `Repeated: ${all} of ${all}.\n`,
  );
  expect(await kindsSince()).toHaveLength(4);
  const later = new Date(Date.now() + 2 * day).toISOString();
  expect(await expectDone("journal", "replay", "--since", later)).toContain("The journal has no entry");

  await serviceBucket().storeBytes(`journal/erasure/${new Date().toISOString()}-x`, Buffer.from("?"));
  const { code, out, err } = await run("journal", "replay", "--since", since.toISOString(), "--yes");
  expect([code, err]).toEqual([1, "1 failed: run the same command again.\n"]);
  expect(out).toMatch(/ erasure +failed: SyntaxError \(journal\/erasure\//);
}, 240_000);
