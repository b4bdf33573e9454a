import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Mail } from "../../../infra/local/mailbox.ts";
import type { Stage } from "../../../infra/local/stage.ts";
import { findAccessibilityIssues } from "../../findAccessibilityIssues.ts";

/** In pixels. A window of 1280 pixels with a zoom of 400 % has 320. */
const widths = [320, 360, 768, 1280];

/**
 * Expects that a page has no accessibility issues and is not wider than its window, at every width, in light and dark.
 * Saves pictures in the directory of the variable SCREENSHOTS, if it is set.
 */
export async function expectSound(page: Page, name: string): Promise<void> {
  const own = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      const state = `${name}-${width}-${colorScheme}`;
      await page.emulateMedia({ colorScheme });
      await savePicture(page, state);
      expect(await findAccessibilityIssues(page), state).toEqual([]);
    }
    const [content = 0, window = 0] = await page.evaluate<number[]>(
      "[document.documentElement.scrollWidth, innerWidth]",
    );
    expect(content, `${name}-${width}`).toBeLessThanOrEqual(window);
  }
  if (own) await page.setViewportSize(own);
}

async function savePicture(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS;
  if (!directory) return;
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });
}

/**
 * Waits for a mail to an address with another token, and returns it. A mail can come twice.
 * @param earlier the token of the earlier mails
 */
export async function mailedToken({ description }: Stage, email: string, earlier?: string): Promise<string> {
  for (;;) {
    const { emails } = (await (await fetch(`${description.mail_url}/store`)).json()) as { emails: Mail[] };
    const theirs = emails.filter(({ destination }) => destination.to.includes(email));
    const [, token] = /^http\S+\/connect#(iv_\S+)$/m.exec(theirs.at(-1)?.body.text ?? "") ?? [];
    if (token && token !== earlier) return token;
    await sleep(50);
  }
}

/**
 * A business with one invited user, and the token of the mail.
 * @param name a name that no other business has
 * @param posInfo credentials that its service provider sends
 * @param isOnboardingRequired whether the business has to submit
 */
export async function invited(
  stage: Stage,
  name = `Golden Aspen ${randomUUID().slice(0, 4)}`,
  posInfo?: object,
  isOnboardingRequired = true,
) {
  const { base_url, service_provider } = stage.description;
  const email = `kim.${randomUUID()}@example.com`;
  const response = await fetch(`${base_url}/service-providers/${service_provider.sp_id}/crbs`, {
    method: "POST",
    headers: { Authorization: service_provider.client_secret, "Content-Type": "application/json" },
    body: JSON.stringify({
      org: { name, state: "CO", business_type: "retail" },
      users: [{ email, firstName: "Kim", lastName: "Lee" }],
      options: { onboarding_required: isOnboardingRequired },
      ...(posInfo && { pos_info: posInfo }),
    }),
  });
  const { id } = (await response.json()) as { id: string };
  return { id, name, email, token: await mailedToken(stage, email) };
}
