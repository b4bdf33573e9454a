import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useStage } from "../../api/useStage.ts";
import { hasBrowser, useBrowser } from "../../useBrowser.ts";
import { useForwarder } from "../../useForwarder.ts";

describe.skipIf(!hasBrowser)("in a browser", { timeout: 90_000 }, () => {
  const { stage } = useStage();
  // As on AWS, where a stage lies below its name.
  const api = useForwarder(() => stage().description.base_url, { below: "/v1" });
  const openPage = useBrowser();

  async function open(options: BrowserContextOptions) {
    const { page, complaints } = await openPage(options, (url) => url.startsWith(`${api.url()}/`));
    await page.goto(`${api.url()}/docs`);
    await page.getByRole("heading", { name: "Your first call" }).waitFor();
    return { page, complaints };
  }

  test("it shows the guides, in which every link leads somewhere, and lets a visitor call an operation", async () => {
    const { page, complaints } = await open({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
    const guides = page.locator(".introduction-section");
    expect(await guides.textContent()).toContain(api.url());
    const links = await guides.getByRole("link").evaluateAll((found) => found.map((link) => link.getAttribute("href")));
    const headings = links.flatMap((link) => /^#(description\/.+)/.exec(link ?? "")?.[1] ?? []);
    expect(headings.length).toBeGreaterThan(3);
    for (const heading of headings) expect(await page.locator(`[id$="/${heading}"]`).count(), heading).not.toBe(0);

    await guides.getByRole("link", { name: "searchCrbCustomers" }).first().click();
    await page.getByRole("heading", { name: "Search the customers of a CRB" }).waitFor();
    await page.getByRole("link", { name: "List the customers of a CRB" }).click();
    await page.locator('[id$="/listCrbCustomers"]').getByRole("button", { name: "Test Request" }).click();
    const dialog = page.getByRole("dialog");
    const row = (name: string) => dialog.locator("tr").filter({ hasText: name });
    const { service_provider, crbs } = stage().description;
    await row("Value:").locator("input").fill(service_provider.client_secret);
    const values = { sp_id: service_provider.sp_id, crb_id: crbs[0]?.crb_id ?? "", limit: "2" };
    for (const [name, value] of Object.entries(values)) await row(name).getByRole("combobox").last().fill(value);
    const answered = page.waitForResponse((answer) => answer.url().includes("/customers?"));
    await dialog.getByRole("button", { name: "Send" }).first().click();
    const { data } = (await (await answered).json()) as { data: { pos_customer_id: string }[] };
    expect(data).toHaveLength(2);
    await dialog.getByText("200 OK").waitFor();
    await dialog.getByText(`"${data[0]?.pos_customer_id}"`).first().waitFor();

    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(kept, "the credential is in memory only").toBe('[{},{},""]');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("on a telephone, in the dark, nothing is wider than the screen", async () => {
    const { page, complaints } = await open({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(15, 15, 15)");
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
