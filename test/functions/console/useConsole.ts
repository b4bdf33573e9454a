import type { BrowserContextOptions, Download, Page } from "playwright-core";
import type { Stage } from "../../../infra/local/stage.ts";
import { useBrowser } from "../../useBrowser.ts";

/** The persons that the local identity provider offers. */
export type Person = "Demo viewer" | "Demo reviewer" | "Demo administrator";

const desktop = { viewport: { width: 1280, height: 900 }, colorScheme: "light" } as const;

/** Opens the console of a stage in a browser. */
export function useConsole(stage: () => Stage) {
  const openPage = useBrowser();

  /** Opens an address of the console. The page may call the API, the identity provider and the store, and nothing else. */
  async function visit(address = stage().description.console_url, options: BrowserContextOptions = desktop) {
    const { base_url, identity_provider_url } = stage().description;
    const { page, complaints } = await openPage(options, (url) => {
      const { origin, pathname } = new URL(url);
      return [base_url, identity_provider_url, "null"].includes(origin) || pathname.startsWith("/documents/");
    });
    page.setDefaultTimeout(30_000);
    await page.goto(address);
    return { page, complaints };
  }

  /** Signs in, and waits for the portfolio. */
  async function signedIn(person: Person = "Demo reviewer") {
    const visited = await visit();
    await signIn(visited.page, person);
    await visited.page.getByRole("row", { name: /High Country Remedies/ }).waitFor();
    return visited;
  }

  /** Calls an operation as a program of the service provider. */
  async function call(method: string, path: string, body?: object) {
    const { base_url, service_provider } = stage().description;
    const headers = { Authorization: service_provider.client_secret, "Content-Type": "application/json" };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(`${base_url}/service-providers/${service_provider.sp_id}${path}`, request)).json();
  }
  return { visit, signedIn, call };
}

/** Begins a sign-in, and chooses a person where the identity provider shows them. */
export async function signIn(page: Page, person: Person = "Demo reviewer") {
  await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).click();
  await page.getByRole("button", { name: person }).click();
}

/** Opens a screen of the console. */
export const open = (page: Page, path: string) => page.evaluate(`location.hash = "#${path}"`);

export const heading = (page: Page, level: number, name: string | RegExp) => page.getByRole("heading", { level, name });

/** The link of a menu. Its name can have a number. */
export const menuLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Console" }).getByRole("link", { name });

/** The text of a file that the page has saved. */
export const textOf = async (file: Download) =>
  Buffer.concat(await (await file.createReadStream()).toArray()).toString();
