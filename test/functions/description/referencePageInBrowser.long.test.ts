import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { routes, useStage } from "../../api/useStage.ts";
import { findAccessibilityIssues } from "../../findAccessibilityIssues.ts";
import { hasBrowser, useBrowser } from "../../useBrowser.ts";
import { useForwarder } from "../../useForwarder.ts";

describe.skipIf(!hasBrowser)("in a browser", { timeout: 180_000 }, () => {
  const { stage } = useStage();
  // On AWS, the path of a stage begins with its name.
  const api = useForwarder(() => stage().description.base_url, { below: "/v1" });
  const openPage = useBrowser();

  async function open(options: BrowserContextOptions) {
    const { page, complaints } = await openPage(options, (url) => url.startsWith(`${api.url()}/`));
    await page.goto(`${api.url()}/docs`);
    await page.getByRole("heading", { name: "Your first call" }).waitFor();
    return { page, complaints };
  }
  const wide = { viewport: { width: 1280, height: 900 } };

  const dialog = (page: Page) => page.getByRole("dialog");
  const row = (page: Page, name: string) => dialog(page).locator("tr").filter({ hasText: name });
  const parameter = (page: Page, name: string) => row(page, name).getByRole("combobox").last();

  /**
   * Opens the dialog that tries an operation.
   * @param place the operation's tag and name, as in its address
   */
  async function openOperation(page: Page, place: string): Promise<void> {
    await page.goto(`${api.url()}/docs#tag/${place}`);
    const [, operationId] = place.split("/");
    await page.locator(`[id$="/${operationId}"]`).getByRole("button", { name: "Test Request" }).click();
    await dialog(page).getByRole("button", { name: "Send" }).first().waitFor();
  }

  /** Sends the request in the dialog. */
  async function send(page: Page) {
    const answered = page.waitForResponse((answer) => !answer.url().startsWith(`${api.url()}/docs`));
    await dialog(page).getByRole("button", { name: "Send" }).first().click();
    const answer = await answered;
    await dialog(page).getByText("200 OK").waitFor();
    return { path: new URL(answer.url()).pathname, json: await answer.json() };
  }

  const kept = (page: Page) =>
    page.evaluate<{ tab: string; beyond: string }>(
      // Looks at the next frame, since the page has replaced an element.
      `(() => {
        const { localStorage } = document.body.appendChild(document.createElement("iframe")).contentWindow;
        const all = (storage) => JSON.stringify({ ...storage });
        return { tab: all(sessionStorage), beyond: all(localStorage) + document.cookie };
      })()`,
    );

  test("the page shows the guides, in which every link works", async () => {
    const { page, complaints } = await open(wide);
    const guides = page.locator(".introduction-section");
    expect(await guides.textContent()).toContain(api.url());
    const links = await page
      .locator(".introduction-section a, start-here a")
      .evaluateAll((found) => found.map((link) => link.getAttribute("href")));
    const headings = links.flatMap((link) => /^#(description\/.+)/.exec(link ?? "")?.[1] ?? []);
    expect(headings.length).toBeGreaterThan(3);
    for (const heading of headings) expect(await page.locator(`[id$="/${heading}"]`).count(), heading).not.toBe(0);
    await guides.getByRole("link", { name: "searchCrbCustomers" }).first().click();
    await page.getByRole("heading", { name: "Search the customers of a CRB" }).waitFor();
    expect(complaints).toEqual([]);
  });

  const languages: [string, string, ...string[]][] = [
    ["curl", "sh"],
    ["Python", "python3"],
    ["TypeScript", process.execPath, "--input-type=module-typescript"],
  ];

  test.each(languages)("the page begins with three calls to copy, which work as %s", async (language, ...program) => {
    const { page, complaints } = await open({ ...wide, permissions: ["clipboard-read", "clipboard-write"] });
    const start = page.locator("start-here");
    await start.getByLabel(language).check();
    const wanted = {
      "Who you are": "Front Range",
      "Whom you serve": "High Country",
      "What they sold in a week": "by_payment",
    };
    for (const [title, known] of Object.entries(wanted)) {
      await start.getByRole("button", { name: `Copy: ${title}` }).click();
      const input: string = await page.evaluate("navigator.clipboard.readText()");
      const [name, ...parameters] = program;
      const child = spawn(name, parameters);
      child.stdin.end(input);
      expect(await text(child.stdout)).toContain(known);
    }
    expect(complaints).toEqual([]);
  });

  test.each(["light", "dark"] as const)("the first screen has no accessibility issues, %s", async (colorScheme) => {
    const { page, complaints } = await open({ ...wide, colorScheme });
    for (const [language] of languages) {
      await page.locator("start-here").getByLabel(language).check();
      expect(await findAccessibilityIssues(page, "start-here"), language).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  test("one click tries an operation with a credential of the demo and ids that exist", async () => {
    const { page, complaints } = await open(wide);
    const { service_provider, crbs } = stage().description;
    await page.getByRole("button", { name: "the service provider" }).click();
    await openOperation(page, "customers/getCrbCustomer");
    const { path, json } = await send(page);
    expect(path).toContain(`/v1/service-providers/${service_provider.sp_id}/crbs/${crbs[0]?.crb_id}/customers/`);
    expect(path.endsWith(json.id)).toBe(true);
    await dialog(page).getByText(`"${json.id}"`).first().waitFor();
    await page.keyboard.press("Escape");
    await openOperation(page, "documents/getCrbDocumentDownload");
    expect((await send(page)).json).toHaveProperty("download_link");
    expect(complaints).toEqual([]);
  });

  const placeOf = ({ tag, operation, operationId }: (typeof routes)[number]) =>
    `${(tag ?? operation.tag).toLowerCase().replaceAll(" ", "-")}/${operationId}`;
  const byId = routes.filter(({ path }) => /\{(?!sp_id|crb_id)/.test(path));

  test.each([
    ["the service provider", "serviceProvider"],
    ["High Country Remedies", "crb"],
  ])("with the credential of %s, all prefilled requests that read by id get 200", async (button, caller) => {
    const { page, complaints } = await open(wide);
    await page.getByRole("button", { name: button }).click();
    const reads = byId.filter((route) => route.method === "GET" && route.caller === caller);
    expect(reads.length).toBeGreaterThan(6);
    for (const route of reads) {
      await openOperation(page, placeOf(route));
      expect((await send(page)).path, route.operationId).toMatch(/^\/v1\/[^{}]+$/);
      await page.keyboard.press("Escape");
    }
    expect(complaints).toEqual([]);
  });

  test("ids of the invited user's operations belong to the user's business, or the field is empty", async () => {
    const { page, complaints } = await open(wide);
    const { base_url, invitation } = stage().description;
    await page.getByRole("button", { name: "the invited user" }).click();
    await openOperation(page, "in-app-onboarding/deleteOnboardingDocument");
    expect(await parameter(page, "document_id").textContent()).toBe("");
    await page.keyboard.press("Escape");
    await openOperation(page, "in-app-onboarding/unlinkOnboardingLicense");
    expect(await parameter(page, "license_id").textContent()).toBe("");
    await page.keyboard.press("Escape");
    await openOperation(page, "in-app-onboarding/createOnboardingUpload");
    expect((await send(page)).json).toHaveProperty("upload_link");
    await page.keyboard.press("Escape");
    await openOperation(page, "in-app-onboarding/addOnboardingDocument");
    const { json } = await send(page);

    await page.reload();
    await openOperation(page, "in-app-onboarding/deleteOnboardingDocument");
    expect((await send(page)).path).toContain(json.document_id);
    const answer = await fetch(`${base_url}/onboarding`, { headers: { Authorization: invitation.invitation_token } });
    expect(await answer.text()).not.toContain(json.document_id);
    expect(complaints).toEqual([]);
  });

  test("the fields of uploads are empty, since no upload is open", async () => {
    const { page } = await open(wide);
    const uploads = byId.filter(({ path }) => path.includes("/document-uploads/"));
    expect(uploads).toHaveLength(2);
    for (const route of uploads) {
      await openOperation(page, placeOf(route));
      expect(await parameter(page, "document_id").textContent()).toBe("");
      await page.keyboard.press("Escape");
    }
  });

  test("an optional enumeration has neither an example nor a chosen value", async () => {
    const { page } = await open(wide);
    await openOperation(page, "service-provider/listServiceProviderCrbs");
    expect(await row(page, "license_status").locator("input[type=checkbox]").isChecked()).toBe(false);
    await page.keyboard.press("Escape");
    const parts = page.locator('[id$="/listServiceProviderCrbs"]').locator(".parameter-item");
    const exampleOf = (name: string) => parts.filter({ hasText: name }).getByText("Example", { exact: true });
    expect(await exampleOf("limit").count()).toBe(1);
    expect(await exampleOf("license_status").count()).toBe(0);
  });

  test.each([360, 800, 900, 1280])("at %i pixels, nothing covers the address in the dialog", async (width) => {
    const { page } = await open({ viewport: { width, height: 844 } });
    await openOperation(page, "service-provider/listServiceProviderCrbs");
    const address = await dialog(page).getByText(api.url()).first().boundingBox();
    const toggle = await dialog(page).locator(".scalar-sidebar-toggle").boundingBox();
    const isRight = address && (!toggle || toggle.x + toggle.width <= address.x);
    expect({ address, toggle, isRight }).toMatchObject({ isRight: true });
  });

  test("the first try of a list or a search finds records, since no filter is chosen", async () => {
    const { page, complaints } = await open(wide);
    await page.getByRole("button", { name: "the service provider" }).click();
    await openOperation(page, "service-provider/listServiceProviderCrbs");
    const { json } = await send(page);
    expect(json.data.map(({ id }: { id: string }) => id).sort()).toEqual(
      stage()
        .description.crbs.map(({ crb_id }) => crb_id)
        .sort(),
    );
    await page.keyboard.press("Escape");
    // The demo has no export, no webhook endpoint, and perhaps no insight. A feed may be empty.
    const lists = routes.filter(
      ({ operationId, caller }) =>
        caller === "serviceProvider" &&
        /^(list|search)/.test(operationId) &&
        !/Exports|Webhook|Changes|Events|Replications|Insights/.test(operationId),
    );
    expect(lists.length).toBeGreaterThan(12);
    for (const route of lists) {
      await openOperation(page, placeOf(route));
      expect((await send(page)).json.data.length, route.operationId).toBeGreaterThan(0);
      await page.keyboard.press("Escape");
    }
    expect(complaints).toEqual([]);
  });

  test("prefilled ids of resources that the demo may lack exist, or the field is empty", async () => {
    const { page, complaints } = await open(wide);
    const { service_provider, crbs } = stage().description;
    const listed = async (kind: string): Promise<{ id: string }[]> => {
      const path = `/service-providers/${service_provider.sp_id}/crbs/${crbs[0]?.crb_id}/${kind}`;
      const answer = await fetch(api.url() + path, { headers: { Authorization: service_provider.client_secret } });
      return ((await answer.json()) as { data: { id: string }[] }).data;
    };
    await openOperation(page, "licenses/unlinkCrbLicense");
    expect(await parameter(page, "license_id").textContent()).toBe((await listed("licenses"))[0]?.id ?? "");
    await page.keyboard.press("Escape");
    await openOperation(page, "exports/getExport");
    expect(await parameter(page, "export_id").textContent()).toBe((await listed("exports"))[0]?.id ?? "");
    expect(complaints).toEqual([]);
  });

  test("typed values stay: ids for other operations, a credential for the tab", async () => {
    const { page, complaints } = await open(wide);
    const { service_provider, crbs } = stage().description;
    const other = crbs[1]?.crb_id ?? expect.fail();
    await openOperation(page, "customers/listCrbCustomers");
    await row(page, "Value:").locator("input").fill(service_provider.client_secret);
    await parameter(page, "crb_id").fill(other);
    expect((await send(page)).path).toContain(`/crbs/${other}/customers`);

    await page.keyboard.press("Escape");
    await openOperation(page, "products/listCrbProducts");
    expect((await send(page)).path).toContain(`/crbs/${other}/products`);

    await expect.poll(async () => (await kept(page)).tab).toContain(service_provider.client_secret);
    expect((await kept(page)).beyond).toBe("{}");
    await page.reload();
    await openOperation(page, "customers/listCrbCustomers");
    expect((await send(page)).json.metadata.total).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  test.each([
    ["429", /Too Many Requests/],
    ["rate limit", /Rate limits/],
    // These words are in no heading.
    ["jitter", /Errors and retries/],
    ["snappy compression", /The two formats/],
    ["watermark", /Into DuckDB/],
    ["digest", /Verify the copy/],
  ])("a search for %s finds the guide to it", async (words, heading) => {
    const { page, complaints } = await open(wide);
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("dialog").getByRole("combobox").fill(words);
    const found = page.getByRole("dialog").getByRole("option");
    await expect.poll(() => found.allTextContents()).toContainEqual(expect.stringMatching(heading));
    expect(complaints).toEqual([]);
  });

  test.each([360, 768, 1280])("at %i pixels, in dark mode, nothing is wider than the screen", async (width) => {
    const { page, complaints } = await open({ viewport: { width, height: 844 }, colorScheme: "dark" });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(15, 15, 15)");
    expect(complaints).toEqual([]);
  });
});
