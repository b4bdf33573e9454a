import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoggedAccess } from "../../../../infra/accessLog/accessLines.ts";
import { type Stage, startStage } from "../../../../infra/local/stage.ts";
import { copyDemoData } from "../../../demoData.ts";
import { temporaryDirectories } from "../../local/temporaryDirectories.ts";
import { operatorOn } from "./operatorOn.ts";

const data = temporaryDirectories()();
const { expectDone } = operatorOn(data);
let stage: Stage;
beforeAll(async () => {
  await copyDemoData(data);
  stage = await startStage({ port: 0, data, replicateEvery: 0 });
});
afterAll(() => stage?.stop());

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

test("the runbook finds the records that a thief has read with a leaked key and with a key that it issued", async () => {
  const { base_url, service_provider: sp, crbs } = stage.description;
  const [crb, untouched] = crbs;
  const send = async (path: string, key: string, method = "GET") => {
    const response = await fetch(`${base_url}${path}`, { method, headers: { Authorization: key } });
    expect(response.status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: what each operation returns is tested elsewhere
    return (await response.json()) as any;
  };
  const ofCrb = `/service-providers/${sp.sp_id}/crbs/${crb?.crb_id}`;
  const issued = await send(`${ofCrb}/access`, sp.client_secret, "POST");
  const { data: customers } = await send(`/crbs/${crb?.crb_id}/customers?limit=5`, issued.secret);
  const victim: string = customers[3].id;
  await send(`${ofCrb}/customers/${victim}`, sp.client_secret);

  const fill = (command: readonly string[], ids: Record<string, string>) =>
    command.map((part) => ids[part] ?? part).map((part) => (part === "2026-11-01" ? "2026-01-01" : part));
  const leaked = { CLIENT_ID: sp.client_id, SP_ID: sp.sp_id, RECORD_ID: victim, CRB_ID: crb?.crb_id ?? "" };
  const json = async (command: string[]) => JSON.parse(await expectDone(...command, "--json"));

  const revoked = await expectDone(...fill(runbookCommand("revoke", "CLIENT_ID"), leaked), "--yes");
  expect(revoked).toContain(issued.client_id);
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

  const byRecord: LoggedAccess[] = await json(fill(runbookCommand("access-log", "--record"), leaked));
  expect(byRecord.map(({ client_id, source }) => [client_id, source])).toEqual([[sp.client_id, "127.0.0.1"]]);
  const byCrb: LoggedAccess[] = await json(fill(runbookCommand("access-log", "--crb"), leaked));
  expect(new Set(byCrb.map(({ operation_id }) => operation_id))).toEqual(
    new Set(["createCrbAccess", "listCustomers", "getCrbCustomer"]),
  );
});
