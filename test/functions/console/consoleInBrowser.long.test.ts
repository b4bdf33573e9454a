import { parse } from "csv-parse/sync";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { readSettings } from "../../../shared/domain/identityProviders/storedIdentityProvider.ts";
import { useStage } from "../../api/useStage.ts";
import { hasBrowser } from "../../useBrowser.ts";
import { expectSound } from "../connect/visit.ts";
import { heading, menuLink, open, type Person, signIn, textOf, useConsole } from "./useConsole.ts";

const minute = 60_000;
const overview = /\/service-providers\/[^/]+\/overview\?/;
const discovery = "**/.well-known/openid-configuration";

const begin = (page: Page) => page.getByRole("button", { name: "Continue to your bank’s sign-in" });
const highCountry = (page: Page) => page.getByRole("row", { name: /^High Country Remedies/ });
const tokenOf = (page: Page) => page.evaluate<string>("sessionStorage.getItem('console:session')");

describe.skipIf(!hasBrowser)("in a browser", { timeout: 300_000 }, () => {
  const { stage } = useStage({ demoAlone: true });
  const { visit, signedIn, call } = useConsole(stage);
  /** Opens the page on which a person enters the short name of the institution. */
  const enter = () => visit(`${stage().description.base_url}/console`);

  /** Moves the focus by keyboard to the element with this text. */
  async function tabTo(page: Page, text: string) {
    for (let stops = 0; stops < 30; stops++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate("document.activeElement.textContent.trim()")) === text) return;
    }
    expect.fail(`The tab order has no ${text}.`);
  }

  test.each(["Viewer", "Reviewer", "Administrator"])(
    "the %s signs in under the page's policy, and sees the businesses",
    async (role) => {
      const { page, complaints } = await signedIn(`Demo ${role.toLowerCase()}` as Person);
      expect(await page.locator(".person").textContent()).toContain(role);
      // The names of the columns, the businesses and their total.
      expect(await page.getByRole("row").count()).toBe(2 + stage().description.crbs.length);
      // The code and the tokens are not in the address.
      expect(page.url()).toBe(stage().description.console_url);
      expect(complaints).toEqual([]);
    },
  );

  test("the short name leads to the institution, by keyboard alone", async () => {
    const { page, complaints } = await enter();
    await page.getByLabel("Short name").press("Enter");
    expect(await page.evaluate("document.activeElement.validity.valueMissing")).toBe(true);
    await page.keyboard.type("no such bank");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.validity.patternMismatch")).toBe(true);
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("no-such-bank");
    await page.keyboard.press("Enter");
    await page.getByText("No institution has the short name no-such-bank").waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining("404")]);
    await page.getByLabel("Short name").fill("Front-Range");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).waitFor();
    await tabTo(page, "Continue to your bank’s sign-in");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Demo viewer" }).focus();
    await page.keyboard.press("Enter");
    await heading(page, 1, "Portfolio").waitFor();
    await tabTo(page, "Skip to the content");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
    expect(page.url()).toMatch(/front-range$/);
    expect(complaints).toEqual([]);
  });

  test("the link that skips the menu keeps the screen to return to after the sign-in", async () => {
    const { page } = await visit(`${stage().description.console_url}#/statements`);
    await begin(page).waitFor();
    await tabTo(page, "Skip to the content");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
    await signIn(page);
    await heading(page, 1, "Statements").waitFor();
  });

  test("every screen is sound at all widths, in light and dark", async () => {
    const entry = await enter();
    await expectSound(entry.page, "console-short-name");
    const { page, complaints } = await visit();
    await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).waitFor();
    await expectSound(page, "console-sign-in");
    await signIn(page);
    await page.getByRole("row", { name: /High Country Remedies/ }).waitFor();
    await expectSound(page, "console-portfolio");
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("button", { name: "Sign out" }).isVisible()).toBe(false);
    await page.goto(`${page.url()}#/nowhere`);
    await heading(page, 1, "Not found").waitFor();
    await expectSound(page, "console-not-found");
    expect([...complaints, ...entry.complaints]).toEqual([]);
  });

  test("a sign-in after 55 minutes needs no choice, and keeps the typed text; a sign-out does not", async () => {
    const { page, complaints } = await visit();
    await page.clock.install();
    await signIn(page);
    await page.getByLabel("Find a business").fill("High");
    await expect.poll(() => page.getByRole("row").count()).toBe(3);
    const before = await tokenOf(page);
    await page.clock.fastForward(56 * minute);
    await expect.poll(() => tokenOf(page)).not.toBe(before);
    await expect.poll(() => page.getByLabel("Find a business").inputValue()).toBe("High");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out").waitFor();
    expect(await page.evaluate("Object.keys(sessionStorage)")).toEqual([]);
    expect(await page.getByText("This browser keeps").count()).toBe(0);
    // After a sign-out, the identity provider shows the persons again.
    await signIn(page, "Demo viewer");
    expect(await page.getByLabel("Find a business").inputValue()).toBe("");
    expect(complaints).toEqual([]);
  });

  /** Lets tokens live for a number of seconds. */
  const limitTokens = (page: Page, expires_in: number) =>
    page.route("**/auth/token", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), expires_in } });
    });

  test("a renewal that cannot begin leaves the session until its end", async () => {
    const { page } = await visit();
    await page.clock.install();
    await limitTokens(page, 1_800);
    await signIn(page);
    await highCountry(page).waitFor();
    const before = await tokenOf(page);
    await page.route(discovery, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed");
    await page.clock.fastForward(26 * minute);
    await failed;
    await highCountry(page).waitFor();
    expect(await tokenOf(page)).toBe(before);
    await page.unroute(discovery);
    await page.clock.fastForward(5 * minute);
    await expect.poll(() => tokenOf(page)).not.toBe(before);
    await highCountry(page).waitFor();
  });

  test("a token that ends within minutes is used until its end", async () => {
    const { page } = await visit();
    await page.clock.install();
    await limitTokens(page, 240);
    await signIn(page);
    await highCountry(page).waitFor();
    const before = await tokenOf(page);
    await page.clock.fastForward(30_000);
    await highCountry(page).waitFor();
    expect(await tokenOf(page)).toBe(before);
    await page.clock.fastForward(4 * minute);
    await expect.poll(() => tokenOf(page)).not.toBe(before);
    await highCountry(page).waitFor();
  });

  test("another person in the same tab does not see the typed text", async () => {
    const { page } = await signedIn();
    await page.getByLabel("Find a business").fill("High");
    await page.evaluate("sessionStorage.removeItem('console:session')");
    await page.context().clearCookies();
    await page.reload();
    await signIn(page, "Demo viewer");
    expect(await page.getByLabel("Find a business").inputValue()).toBe("");
  });

  test("a sign-out ends the sessions of all tabs", async () => {
    const { page } = await signedIn();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Continue to your bank’s sign-in" }).click();
    await heading(other, 1, "Portfolio").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await other.getByText("You are signed out").waitFor();
  });

  test("after a sign-out, no tab has a session, and the next sign-in needs the person in any tab", async () => {
    const { page } = await signedIn();
    const { console_url, base_url } = stage().description;
    const other = await page.context().newPage();
    await other.goto(console_url);
    await begin(other).click();
    await other.getByLabel("Find a business").fill("High");
    await other.goto(`${base_url}/status`);
    // The tab of a document has a copy of the session.
    const popup = page.waitForEvent("popup");
    await page.evaluate("void open('', '_blank')");
    const copy = await popup;
    await page.evaluate("localStorage.setItem('console:deposits:x', '{}')");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("This browser keeps how your bank’s files of deposits are read").waitFor();
    await page.close();
    await other.goBack();
    await copy.goto(console_url);
    for (const tab of [other, copy]) {
      await begin(tab).waitFor();
      expect(await tab.evaluate("Object.keys(sessionStorage)")).toEqual([]);
    }

    const later = await other.context().newPage();
    await later.goto(console_url);
    await begin(later).click();
    await later.getByRole("button", { name: "Demo viewer" }).click();
    await highCountry(later).waitFor();
    // This sign-in counts for the other tabs, too.
    await begin(other).click();
    await highCountry(other).waitFor();
  });

  test("a sign-out ends a sign-in that another tab has begun", async () => {
    const { page } = await signedIn();
    const other = await page.context().newPage();
    await other.route("**/auth/token", async (route) => {
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByText("You are signed out").waitFor();
      await route.continue();
    });
    await other.goto(stage().description.console_url);
    await begin(other).click();
    await other.getByRole("alert").getByText("You signed out in another tab").waitFor();
  });

  test("the table is saved as CSV, and a figure leads to its operation", async () => {
    const { page } = await signedIn();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /Download CSV/ }).click();
    const lines = (await textOf(await saved)).trim().split("\r\n");
    expect(lines.slice(1).sort()[1]).toMatch(/^High Country Remedies,/);
    const link = page.getByRole("link", { name: "API: getOverview" }).first();
    expect(await link.getAttribute("href")).toMatch(/\/docs#tag\/overview\/getOverview$/);
  });

  test("old figures are named with their time, and the file has the days of its figures", async () => {
    const { page } = await signedIn();
    const day = (date: string, complete: boolean, total_paid: number) => ({
      ...{ date, complete, total_paid, cash_sales_low: 0, cash_sales_high: 90, unknown_paid_amounts: 1 },
      unknown_totals: date === "2026-01-04" ? 3 : 0,
    });
    const figures = {
      as_of: "2026-01-05T12:00:00.000Z",
      data: { state: "current", data_as_of: "2026-01-05T11:00:00.000Z" },
      sales_days: [day("2026-01-05", false, 1_000), day("2026-01-04", true, 200), day("2026-01-03", true, 30)],
      balance: { date: "2026-01-02", status: "within", balance_low: 100, balance_high: 250, days_since_deposit: 1 },
    };
    await page.route(overview, async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { data: { name: string }[] };
      const data = json.data.map((row) => (/^High Country/.test(row.name) ? { ...row, ...figures } : row));
      await route.fulfill({ response, json: { ...json, data } });
    });
    await open(page, "/nowhere");
    await heading(page, 1, "Not found").waitFor();
    await open(page, "/");
    await page.getByText(/^As of Jan 5, 2026/).waitFor();
    await page.getByText(/ The figures of 1 business are older than 30 minutes\.$/).waitFor();
    await highCountry(page)
      .getByText(/^Figures of Jan 5, 2026/)
      .waitFor();
    await highCountry(page)
      .getByText(/^at least, Jan 4/)
      .waitFor();
    await page.getByText(/^at least \d/).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /Download CSV/ }).click();
    const rows = parse(await textOf(await saved), { columns: true, bom: true }) as Record<string, string>[];
    const [business] = stage().description.crbs;
    expect(rows.find(({ Id }) => Id === business?.crb_id)).toMatchObject({
      ...{ Business: business?.name, State: "CO", "As of": figures.as_of, "Sales as of": figures.data.data_as_of },
      ...{ "Day of sales": "2026-01-04", "Sales (US dollars)": "2", "Sales without an amount": "3" },
      ...{ "Cash sold, at least (US dollars)": "0", "Cash sold, at most (US dollars)": "" },
      ...{ "Finished days of the last 7": "2", "Sales of these days (US dollars)": "2.3" },
      ...{ "Cash on hand, at least (US dollars)": "1", "Cash on hand, at most (US dollars)": "2.5" },
      ...{ "Day of cash on hand": "2026-01-02", "Cash on hand is": "Within range" },
    });
    await highCountry(page).getByRole("link").click();
    await page.getByText(/ · sales as of Jan 5, 2026.* Figures of Jan 5, 2026/).waitFor();
  });

  test("a list that cannot be loaded is not that of another filter, and the filter can be changed", async () => {
    const { page } = await signedIn();
    await menuLink(page, "Insights").click();
    const items = page.getByRole("navigation", { name: "Insights of the list" }).getByRole("listitem");
    await items.first().waitFor();
    const count = await items.count();
    await page.route(/\/insights\?.*status=escalated/, (route) => route.fulfill({ status: 503, json: {} }));
    const show = page.getByLabel("Show");
    await show.focus();
    await show.selectOption("Escalated");
    await page.getByRole("alert").getByText(/busy/).waitFor();
    expect(await items.count()).toBe(0);
    expect(await page.getByText(/\d insights?,/).count()).toBe(0);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("SELECT");
    await show.selectOption("Open");
    await expect.poll(() => items.count()).toBe(count);
  });

  test("a chosen business is in the address: a reload and the way back keep it", async () => {
    const { page } = await signedIn("Demo viewer");
    const [first, second] = stage().description.crbs.map(({ crb_id }) => crb_id);
    await open(page, "/statements");
    const choice = page.getByLabel("Business", { exact: true });
    await choice.focus();
    await choice.selectOption(first ?? "");
    await expect.poll(() => page.url()).toMatch(new RegExp(`#/statements\\?crb_id=${first}$`));
    expect(await page.evaluate("document.activeElement.tagName")).toBe("SELECT");
    await choice.selectOption(second ?? "");
    await page.reload();
    await expect.poll(() => choice.inputValue()).toBe(second);
    await page.goBack();
    await expect.poll(() => choice.inputValue()).toBe(first);
  });

  test("the businesses around one are those of the portfolio, in its order, with the same filter", async () => {
    const { page } = await signedIn("Demo viewer");
    await page.getByLabel("Order").selectOption("Name");
    await page.getByLabel("State", { exact: true }).selectOption("CO");
    const { data } = (await call("GET", "/overview?limit=100")) as {
      data: Record<"crb_id" | "name" | "state", string>[];
    };
    const [first, second] = data
      .filter(({ state }) => state === "CO")
      .sort((one, other) => one.name.localeCompare(other.name));
    await open(page, `/businesses/${first?.crb_id}/insights?status=escalated`);
    const next = page.getByRole("link", { name: `Next: ${second?.name}` });
    await next.click();
    await page.getByRole("link", { name: `Previous: ${first?.name}` }).waitFor();
    expect(page.url()).toMatch(new RegExp(`/${second?.crb_id}/insights\\?status=escalated$`));
  });

  test.each<[string, number, object, RegExp]>([
    ["403 of a role", 403, { code: "role_missing", message: "x" }, /Your role, reviewer, does not include this/],
    ["404", 404, { message: "x" }, /access to this business has ended/],
    ["429", 429, { message: "x" }, /wait a minute/],
    ["503", 503, { message: "x" }, /busy/],
    ["an error without a body", 500, {}, /write to/],
    ["no connection", 0, {}, /cannot be reached.*Nothing is lost/],
  ])("%s is explained, and the part can be loaded again", async (name, status, body, words) => {
    const { page } = await signedIn();
    await page.route(overview, (route) => (status ? route.fulfill({ status, json: body }) : route.abort()));
    await open(page, "/nowhere");
    await heading(page, 1, "Not found").waitFor();
    await open(page, "/");
    await page.getByRole("alert").getByText(words).waitFor();
    if (status === 403) await expectSound(page, `console-${name.replaceAll(" ", "-")}`);
    await page.unroute(overview);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("row", { name: /High Country Remedies/ }).waitFor();
  });

  test("an ended token opens the sign-in again, and returns to the same screen", async () => {
    const { page } = await visit();
    await page.clock.install();
    await signIn(page);
    await page.getByRole("row", { name: /High Country Remedies/ }).waitFor();
    await open(page, "/?from=here");
    await page.clock.fastForward(2 * minute);
    let count = 0;
    await page.route(overview, (route) =>
      count++ === 0 ? route.fulfill({ status: 401, json: {} }) : route.continue(),
    );
    await open(page, "/?from=there");
    await expect.poll(() => count).toBe(2);
    await page.getByRole("row", { name: /High Country Remedies/ }).waitFor();
    expect(page.url()).toContain("#/?from=there");
  });

  describe("a sign-in that fails says what to do", () => {
    const notice = (page: Page) => page.getByRole("alert");

    test("if the identity provider cannot be reached", async () => {
      const { page } = await visit();
      await page.route(discovery, (route) => route.abort());
      await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).click();
      await notice(page).getByText("does not respond as expected").waitFor();
    });

    test.each<[string, string, RegExp]>([
      ["denies it", "error=access_denied", /You did not finish the sign-in/],
      ["reports an error", "error=server_error", /is not valid \(server_error\)/],
      ["sends no code", "x=1", /is not valid/],
    ])("if the identity provider %s", async (_, parameters, words) => {
      const { page } = await visit(`${stage().description.console_url}#/insights`);
      await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).click();
      await page.getByRole("button", { name: "Demo viewer" }).waitFor();
      await page.goto(stage().description.console_url);
      const { state } = JSON.parse(await page.evaluate<string>("sessionStorage.getItem('console:begun')"));
      const { console_url, identity_provider_url } = stage().description;
      const iss = encodeURIComponent(identity_provider_url);
      await page.goto(`${console_url}?state=${state}&iss=${iss}&${parameters}`);
      await notice(page).getByText(words).waitFor();
      // The next sign-in leads to the screen that the person wanted.
      expect(page.url()).toBe(`${stage().description.console_url}#/insights`);
    });

    test("if it began in another tab", async () => {
      const { page } = await visit(`${stage().description.console_url}?state=x&code=y`);
      await notice(page).getByText("began in another tab").waitFor();
    });

    test("if the state is not that of the request", async () => {
      const { page } = await visit();
      await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).click();
      await page.getByRole("button", { name: "Demo viewer" }).waitFor();
      await page.goto(`${stage().description.console_url}?state=x&code=y`);
      await notice(page).getByText("is not valid").waitFor();
    });

    test("if the person has no role", async () => {
      const { page } = await visit();
      await page.route("**/auth/token", (route) => route.fulfill({ status: 403, json: { code: "role_missing" } }));
      await signIn(page, "Demo viewer");
      await notice(page).getByText("has no role in this console").waitFor();
      await expectSound(page, "console-no-role");
    });

    test("if the access of all persons has ended", async () => {
      const { page } = await signedIn();
      const { table, description } = stage();
      const stored = await readSettings(table, description.service_provider.sp_id);
      await revokeCredential(table, stored?.credential_id ?? "");
      await open(page, "/nowhere");
      await heading(page, 1, "Not found").waitFor();
      await open(page, "/");
      await notice(page).getByText("Your access has ended").waitFor();
      await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).click();
      await notice(page).getByText("suspended").waitFor();
    });
  });
});
