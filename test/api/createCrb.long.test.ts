import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Mail } from "../../infra/local/mailbox.ts";
import { scan } from "../tableState.ts";
import { routeOf, useStage } from "./useStage.ts";

const { call, data, stage } = useStage();

/** Polls a condition and returns its first true value. */
const eventually = <T>(condition: () => Promise<T | undefined>) => vi.waitUntil(condition, { timeout: 60_000 });

const secret = "a-secret-of-the-POS-0123456789";
const body = (name: string, more: object) =>
  JSON.stringify({ org: { name, state: "CO", business_type: "wholesale" }, ...more });

test("the first records of a connected CRB can be read without a further request, with credentials that createCrbAccess issues", async () => {
  const pos_info = { pos_type: "GrowFlow Wholesale", pos_credentials: { state: "CO", license_number: secret } };
  const created = await call(routeOf("createCrb"), { body: body("Quick Start", { pos_info }) });
  expect(created.status).toBe(200);
  const ids = { crb_id: created.json.id as string };
  const records = await eventually(async () => {
    const { json } = await call(routeOf("listCrbCustomers"), { ids, search: "?limit=5" });
    return (json.data as unknown[]).length > 0 ? json.data : undefined;
  });
  const pair = await call(routeOf("createCrbAccess"), { ids });
  const authorization = pair.json.secret as string;
  const own = await call(routeOf("listCustomers"), { ids, search: "?limit=5", authorization });
  expect(own.status).toBe(200);
  expect((own.json.data as unknown[]).length).toBeGreaterThanOrEqual((records as unknown[]).length);
  await eventually(async () => {
    const { json } = await call(routeOf("listCrbSales"), { ids, search: "?limit=1" });
    return (json.data as unknown[]).length > 0 ? true : undefined;
  });
});

test("an invited user's mail is in the mailbox", async () => {
  const user = { email: "kim.lee@example.com", firstName: "Kim", lastName: "Lee" };
  const created = await call(routeOf("createCrb"), { body: body("Slow Start", { users: [user] }) });
  expect(created.status).toBe(200);
  const mail = await eventually(async () => {
    const store = await (await fetch(`${stage().description.mail_url}/store`)).json();
    return (store as { emails: Mail[] }).emails.find(({ destination }) => destination.to.includes(user.email));
  });
  expect(mail.subject).toBe("Front Range Community Bank invites you to connect your business");
  expect(mail.body.text).toContain("set up “Slow Start”");
  expect(mail.body.text).toMatch(/^https?:\/\/\S+\/connect#iv_[\w-]{65}$/m);
  const page = await fetch(stage().description.mail_url);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
});

test("the data directory holds no POS credential in clear text", async () => {
  // The engine's journal files come and go with every write; the table behind them has the same content.
  const files = readdirSync(data(), { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && !file.name.endsWith("-journal"),
  );
  expect(files.map(({ name }) => name)).toContain("log.jsonl");
  for (const { parentPath, name } of files) {
    expect(readFileSync(join(parentPath, name)).includes(secret), name).toBe(false);
  }
  // In these files the records are compressed.
  expect(JSON.stringify(await scan(stage().table))).not.toContain(secret);
});
