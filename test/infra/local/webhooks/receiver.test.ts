import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { close } from "../../../../infra/local/listen.ts";
import type { Received } from "../../../../infra/local/webhooks/received.ts";
import { type Receiver, startReceiver } from "../../../../infra/local/webhooks/receiver.ts";
import { badHeaders, deliver, eventText, secret, signedHeaders } from "../../tools/webhooks/signed.ts";

const crbId = randomUUID();
const names = new Map([[crbId, "Cottonwood & <b>Sons</b>"]]);

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver(0, { names });
});
afterEach(() => close(receiver.server));

const at = (path: string) => new URL(path, receiver.page).href;
const store = async () => ((await (await fetch(at("/store"))).json()) as { webhooks: Received[] }).webhooks;
const page = async () => (await fetch(at("/"))).text();

test("shows deliveries newest first, with the names of the businesses and the result of the signature check", async () => {
  receiver.isRegistered(secret);
  expect(await page()).toContain("None yet.");
  const [first, second] = [eventText({ crb_id: crbId }), eventText({ type: "document.added" })];
  expect(await deliver(receiver.page, first)).toBe(204);
  expect(await deliver(receiver.page, second, signedHeaders("{}"))).toBe(400);
  expect(await store()).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ type: "crb.created", date: "2026-03-01T12:00:00.000Z", crbId, body: first, fault: null },
    },
    expect.objectContaining({ type: "document.added", crbId: null, fault: "No matching signature found" }),
  ]);
  const shown = await page();
  expect(shown).toContain("Cottonwood &amp; &lt;b&gt;Sons&lt;/b&gt;");
  expect(shown).toMatch(/document\.added.*is invalid: No matching[\s\S]*crb\.created.*signature is valid/);
});

test.each(badHeaders)("rejects a delivery with %s, and still shows it", async (_, headersOf) => {
  receiver.isRegistered(secret);
  const body = eventText();
  expect(await deliver(receiver.page, body, headersOf(body))).toBe(400);
  expect(await store()).toEqual([expect.objectContaining({ body, fault: expect.stringMatching(/./) })]);
  expect(await page()).toContain("signature is invalid");
});

test("shows neighboring events about changed records as one group", async () => {
  receiver.isRegistered(secret);
  const types = ["records.changed", "records.changed", "crb.created", "records.changed"];
  for (const type of types) expect(await deliver(receiver.page, eventText({ type }))).toBe(204);
  const shown = await page();
  expect(shown.match(/<summary>[^<]*/g)).toEqual(["<summary>records.changed, 2 times"]);
  expect(shown.match(/<article>/g)).toHaveLength(4);
});

test("does not run code in deliveries", async () => {
  receiver.isRegistered(secret);
  const hostile = `<script>alert(1)</script><style>*{display:none}</style>"'\u202e\u001b`;
  for (const body of [hostile, eventText({ type: hostile, date: hostile, crb_id: hostile }), "null", "[]", "", "{}"]) {
    await deliver(receiver.page, body, { ...signedHeaders(body), "webhook-id": "<script>2" });
  }
  const answer = await fetch(at("/"));
  const html = await answer.text();
  for (const text of ["<script", "<style>*", "\u202e", "\u001b"]) expect(html).not.toContain(text);
  expect(html).toContain("&lt;script&gt;alert(1)");
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-anc/,
  );
  expect(policy).not.toContain("unsafe");
});

test("checks deliveries that come before its secret once it has the secret", async () => {
  const body = eventText();
  const early = deliver(receiver.page, body);
  expect(await store()).toEqual([]);
  receiver.isRegistered(secret);
  expect(await early).toBe(204);
});

test("keeps the last 300 deliveries, and only the beginning of long ones", async () => {
  receiver.isRegistered(secret);
  await deliver(receiver.page, eventText({ data: "x".repeat(1_000_000) }));
  expect((await store())[0]?.body).toHaveLength(16_384);
  for (let i = 0; i < 300; i++) await deliver(receiver.page, eventText({ type: `number ${i}` }));
  const kept = await store();
  expect([kept.length, kept[0]?.type, kept.at(-1)?.type]).toEqual([300, "number 0", "number 299"]);
  expect((await fetch(receiver.page, { method: "POST", body: "x".repeat(11_000_000) })).status).toBe(413);
});

test("responds with 404 to other reads", async () => {
  for (const path of ["/demo-events", "/x", "/store/"]) expect((await fetch(at(path))).status).toBe(404);
});
