import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LoggedAccess, operatorFolder } from "../../../../shared/domain/accessLog/accessLines.ts";
import { useOperator } from "./useOperator.ts";

const { data, stage, expectDone, expectRefused, call } = useOperator();

/** The commands in the runbook's paragraph on a leaked credential, without the stage. */
function runbookCommands(): string[][] {
  const runbook = readFileSync("docs/operations/key-rotation.md", "utf8");
  const [, paragraph = ""] = /\n## A credential leaked\n([\s\S]*)$/.exec(runbook) ?? [];
  const inBlocks = [...paragraph.matchAll(/npm run operator -- --stage prod (.*)/g)].map(([, command = ""]) => command);
  const inText = [...paragraph.matchAll(/`((?:credential|access-log) [^`]*)`/g)].map(([, command = ""]) => command);
  return [...inBlocks, ...inText].map((command) => command.split(/\s+/));
}

const runbookCommand = (...parts: string[]) =>
  runbookCommands().find((command) => parts.every((part) => command.includes(part))) ??
  expect.fail(`the runbook has no ${parts.join(" ")}`);

test("the runbook ends a theft, finds what a leaked key and a key that it issued have read, and writes to each business", async () => {
  const { service_provider: sp, crbs } = stage().description;
  const [crb, exported, untouched] = crbs;
  const send = async (path: string, key: string, method = "GET", body?: object) => {
    const { status, json } = await call(key, path, method, body);
    expect(status).toBe(200);
    return json;
  };
  const ofCrb = `/service-providers/${sp.sp_id}/crbs/${crb?.crb_id}`;
  const issued = await send(`${ofCrb}/access`, sp.client_secret, "POST");
  const { data: customers } = await send(`/crbs/${crb?.crb_id}/customers?limit=5`, issued.secret);
  const victim: string = customers[3].id;
  await send(`${ofCrb}/customers/${victim}`, sp.client_secret);
  const exports = `/service-providers/${sp.sp_id}/crbs/${exported?.crb_id}/exports`;
  const body = { kinds: ["customers"], format: "ndjson" };
  const { id: exportId } = await send(exports, sp.client_secret, "POST", body);
  const readExport = () => send(`${exports}/${exportId}`, sp.client_secret);
  await expect.poll(async () => (await readExport()).status, { timeout: 60_000, interval: 500 }).toBe("ready");
  const [file] = (await readExport()).files;
  const download = async () => (await fetch(file.download_link)).status;
  expect(await download()).toBe(200);
  const endpoints = `/service-providers/${sp.sp_id}/webhook-endpoints`;
  const { id: endpointId } = await send(endpoints, sp.client_secret, "POST", { url: "https://93.184.216.34/events" });

  const fill = (command: readonly string[], ids: Record<string, string>) =>
    command.map((part) => ids[part] ?? part).map((part) => (part === "2026-11-01" ? "2026-01-01" : part));
  const leaked = { CLIENT_ID: sp.client_id, SP_ID: sp.sp_id, RECORD_ID: victim, CRB_ID: crb?.crb_id ?? "" };
  const json = async (command: string[]) => JSON.parse(await expectDone(...command, "--json"));

  const letters = join(data, "letters");
  const letterCommand = fill(runbookCommand("access-log", "--letters"), leaked).map((part) =>
    part === "letters" ? letters : part,
  );
  await expectRefused(`Revoke ${sp.client_id} first`, ...letterCommand);

  const revoked = await expectDone(...fill(runbookCommand("revoke", "CLIENT_ID"), leaked), "--yes");
  for (const id of [issued.client_id, exportId, endpointId]) expect(revoked).toContain(id);
  expect(revoked).toContain("Links to documents");
  expect(await download()).toBe(404);
  for (const [path, key] of [
    [`${ofCrb}/customers/${victim}`, sp.client_secret],
    [`/crbs/${crb?.crb_id}/customers`, issued.secret],
  ] as const) {
    await expect.poll(async () => (await call(key, path)).status).toBe(401);
  }
  const next = await expectDone(...fill(runbookCommand("credential", "issue"), leaked));
  const [, nextSecret = ""] = /(sk_\S+)/.exec(next) ?? [];
  expect((await send(`${endpoints}/${endpointId}`, nextSecret)).status).toBe("disabled");
  const list = await json(fill(runbookCommand("credential", "list"), leaked));
  expect(list).toContainEqual(expect.objectContaining({ client_id: issued.client_id, issued_by: sp.client_id }));

  const summary = fill(runbookCommand("access-log", "--client", "--summary"), leaked);
  const both = [...summary, "--client", issued.client_id];
  await expect.poll(() => json(both)).toContainEqual(expect.objectContaining({ operation_id: "getCrbCustomer" }));
  const read = await json(both);
  expect(read).toContainEqual(
    expect.objectContaining({ client_id: issued.client_id, operation_id: "listCustomers", records: 5, requests: 1 }),
  );
  expect(JSON.stringify(read)).not.toContain(untouched?.crb_id);

  // The letters cover what the issued credential read, although only the leaked one is named.
  const written = await expectDone(...letterCommand);
  expect(written).toContain(crb?.name);
  expect(readdirSync(letters).sort()).toEqual([`${crb?.crb_id}.txt`, `${exported?.crb_id}.txt`].sort());
  const ofExport = readFileSync(join(letters, `${exported?.crb_id}.txt`), "utf8");
  expect(ofExport).toContain(`To ${exported?.name}\n`);
  expect(ofExport).toMatch(/^- Read an export .* \(customers\): \d+ requests/m);
  expect(ofExport).not.toContain(file.download_link);
  const letter = readFileSync(join(letters, `${crb?.crb_id}.txt`), "utf8");
  expect(letter).toContain(`To ${crb?.name}\n`);
  expect(letter).toMatch(/^- List .*customers: 1 request, 5 records$/m);
  expect(letter).toMatch(/^- Read a customer .*: 1 request, 1 record$/m);
  expect(letter).toContain("Every part of it could be read.");
  for (const secret of [victim, sp.client_secret, issued.secret, "127.0.0.1"]) expect(letter).not.toContain(secret);

  const byRecord: LoggedAccess[] = await json(fill(runbookCommand("access-log", "--record"), leaked));
  expect(byRecord.map(({ client_id, source }) => [client_id, source])).toEqual([[sp.client_id, "127.0.0.1"]]);
  const byCrb: LoggedAccess[] = await json(fill(runbookCommand("access-log", "--crb"), leaked));
  const ofCallers = byCrb.filter(({ sp_id }) => sp_id !== operatorFolder);
  expect(new Set(ofCallers.map(({ operation_id }) => operation_id))).toEqual(
    // The demo connects the license of the business to the state's system.
    new Set(["setCrbStateConnection", "createCrbAccess", "listCustomers", "getCrbCustomer"]),
  );
});
