import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Mail } from "../../../infra/local/mailbox.ts";
import type { Stage } from "../../../infra/local/stage.ts";
import { findAccessibilityIssues } from "../../findAccessibilityIssues.ts";

/** Saves a picture of the page in the directory of the variable SCREENSHOTS, if it is set. */
async function picture(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS;
  if (!directory) return;
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });
}

/** Expects that a page has no accessibility issues and is not wider than its window. */
export async function expectSound(page: Page, name: string): Promise<void> {
  await picture(page, name);
  expect(await findAccessibilityIssues(page), name).toEqual([]);
  const width = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
  expect((width as number[])[0], name).toBeLessThanOrEqual((width as number[])[1] ?? 0);
}

/**
 * Waits for a new mail to an address and returns its token.
 * @param before tokens of earlier mails
 */
export async function mailedToken({ description }: Stage, email: string, before = 0): Promise<string> {
  for (;;) {
    const { emails } = (await (await fetch(`${description.mail_url}/store`)).json()) as { emails: Mail[] };
    const theirs = emails.filter(({ destination }) => destination.to.includes(email));
    const [, token] = /^http\S+\/connect#(iv_\S+)$/m.exec(theirs.at(-1)?.body.text ?? "") ?? [];
    if (theirs.length > before && token) return token;
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
