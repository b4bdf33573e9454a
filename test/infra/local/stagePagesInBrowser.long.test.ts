import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handler as statusPage } from "../../../functions/description/statusPage.ts";
import { close, listen, portOf } from "../../../infra/local/listen.ts";
import { startMailbox } from "../../../infra/local/mailbox.ts";
import { type Receiver, startReceiver } from "../../../infra/local/webhooks/receiver.ts";
import { countAges } from "../../../shared/domain/replication/freshness.ts";
import { findAccessibilityIssues } from "../../findAccessibilityIssues.ts";
import { requestEvent } from "../../requestEvent.ts";
import { hasBrowser, useBrowser } from "../../useBrowser.ts";
import { useTestTable } from "../../useTestTable.ts";
import { deliver, eventText, secret, signedHeaders } from "../tools/webhooks/signed.ts";

/** Set it to keep pictures of the pages. */
const { SCREENSHOTS } = process.env;

describe.skipIf(!hasBrowser)("the pages of the local stage", () => {
  const open = useBrowser();
  const table = useTestTable();
  let status: Server;
  let mailbox: Server;
  let receiver: Receiver;
  beforeAll(async () => {
    const ages = (["customer", "inventory", "sale"] as const).map((kind, i) => ({ kind, seconds: 400 + 4_000 * i }));
    await countAges(table(), ages, new Date());
    const event = requestEvent({ resource: "/status" });
    status = createServer(async (_, response) => {
      const { statusCode, headers, body } = await statusPage({
        ...event,
        requestContext: { ...event.requestContext, path: "/status" },
      });
      response.writeHead(statusCode, headers as Record<string, string>).end(body);
    });
    await listen(status, 0);
    mailbox = await startMailbox();
    receiver = await startReceiver(0);
    receiver.isRegistered(secret);
    const data = { kind: "sales", cursor_before: "A".repeat(60) };
    for (let i = 0; i < 3; i++) await deliver(receiver.page, eventText({ type: "records.changed", data }));
    await deliver(receiver.page, eventText({ type: "crb.updated" }), signedHeaders("{}"));
    const text = `A link for you:\n\nhttps://app.example.com/connect#${"t".repeat(60)}\n`;
    await fetch(`${addressOf(mailbox)}/v2/email/outbound-emails`, {
      method: "POST",
      body: JSON.stringify({
        FromEmailAddress: "no-reply@example.com",
        Destination: { ToAddresses: ["robin@example.com"] },
        Content: {
          Simple: { Subject: { Data: "Connect your business" }, Body: { Text: { Data: text }, Html: { Data: "" } } },
        },
      }),
    });
  });
  afterAll(async () => {
    await close(status);
    await close(mailbox);
    await close(receiver.server);
  });

  const pages = {
    mails: () => addressOf(mailbox),
    webhooks: () => addressOf(receiver.server),
    status: () => addressOf(status),
  };

  test.each(Object.entries(pages))(
    "%s: at every width, in light and dark, nothing is wider than the window or hard to read",
    async (name, address) => {
      for (const width of [360, 768, 1280]) {
        for (const colorScheme of ["light", "dark"] as const) {
          const { page, complaints } = await open({ viewport: { width, height: 800 }, colorScheme }, isOwn(address()));
          await page.goto(address());
          await page.locator("details").evaluateAll((all) => {
            for (const each of all) each.setAttribute("open", "");
          });
          if (SCREENSHOTS) {
            mkdirSync(SCREENSHOTS, { recursive: true });
            await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`), fullPage: true });
          }
          expect(await overflowOf(page), `${width} ${colorScheme}`).toBe(0);
          expect(await findAccessibilityIssues(page), `${width} ${colorScheme}`).toEqual([]);
          expect(complaints).toEqual([]);
          await page.context().close();
        }
      }
    },
  );

  test("a group of webhooks opens with the keyboard", async () => {
    const { page } = await open({}, isOwn(pages.webhooks()));
    await page.goto(pages.webhooks());
    const article = page.locator("details article").first();
    expect(await article.isVisible()).toBe(false);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await article.isVisible()).toBe(true);
    await page.context().close();
  });

  test("a link in a mail is reached with the keyboard", async () => {
    const { page } = await open({}, isOwn(pages.mails()));
    await page.goto(pages.mails());
    await page.keyboard.press("Tab");
    expect(await page.locator("a:focus").getAttribute("href")).toContain("/connect#");
    await page.context().close();
  });
});

const addressOf = (server: Server): string => `http://127.0.0.1:${portOf(server)}`;
const isOwn = (address: string) => (url: string) => url.startsWith(address) || url.endsWith("/favicon.ico");
/** Pixels by which the content is wider than the window. */
const overflowOf = (page: Page) =>
  page.evaluate<number>("Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)");
