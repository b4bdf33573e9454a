import type { BrowserContextOptions, Page } from "playwright-core";
import type { Stage } from "../../../infra/local/stage.ts";
import { useBrowser } from "../../useBrowser.ts";

/** The persons that the local identity provider offers. */
export type Person = "Demo viewer" | "Demo reviewer" | "Demo administrator";

const desktop = { viewport: { width: 1280, height: 900 }, colorScheme: "light" } as const;

/** Opens the console of a stage in a browser. */
export function useConsole(stage: () => Stage) {
  const openPage = useBrowser();

  /** Opens the sign-in. The page may call the API, the identity provider and the store, and nothing else. */
  async function visit(options: BrowserContextOptions = desktop) {
    const { base_url, identity_provider_url, console_url } = stage().description;
    const { page, complaints } = await openPage(options, (url) => {
      const { origin, pathname } = new URL(url);
      return [base_url, identity_provider_url, "null"].includes(origin) || pathname.startsWith("/documents/");
    });
    page.setDefaultTimeout(30_000);
    await page.goto(console_url);
    await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).waitFor();
    return { page, complaints };
  }

  /** Signs in, and waits for the portfolio. */
  async function signedIn(person: Person, options?: BrowserContextOptions) {
    const visited = await visit(options);
    await visited.page.getByRole("button", { name: "Continue to your bank’s sign-in" }).click();
    await visited.page.getByRole("button", { name: person }).click();
    await visited.page.getByRole("row", { name: /High Country Remedies/ }).waitFor();
    return visited;
  }
  return { visit, signedIn };
}

/** The link of a menu. Its name can have a number. */
export const menuLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Console" }).getByRole("link", { name });
