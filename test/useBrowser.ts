import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

export const hasBrowser = executablePath !== undefined;
if (!hasBrowser) console.log("There is no Chromium here: pages are not tried in a browser.");

/**
 * Starts a browser for a test file.
 *
 * @returns opens a page in a new profile until the end of the test, and collects the browser's errors and its requests to
 *   other addresses than `own` accepts
 */
export function useBrowser() {
  let browser: Browser;
  const profiles: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: [
        ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
        ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
      ],
    });
  });
  afterEach(() => Promise.all(profiles.splice(0).map((profile) => profile.close())));
  afterAll(() => browser?.close());

  return async (
    options: BrowserContextOptions,
    own: (url: string) => boolean,
  ): Promise<{ page: Page; complaints: string[] }> => {
    const profile = await browser.newContext(options);
    profiles.push(profile);
    const page = await profile.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => void complaints.push(String(error)));
    page.on("request", (request) => {
      if (!own(request.url())) complaints.push(`requested ${request.url()}`);
    });
    return { page, complaints };
  };
}
