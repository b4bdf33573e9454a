import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { revokeCredential } from "../../../shared/auth/revoke.ts";
import { readSettings } from "../../../shared/domain/identityProviders/storedIdentityProvider.ts";
import { useStage } from "../../api/useStage.ts";
import { hasBrowser } from "../../useBrowser.ts";
import { expectSound } from "../connect/visit.ts";
import { heading, open, type Person, signIn, textOf, useConsole } from "./useConsole.ts";

const minute = 60_000;
const overview = /\/service-providers\/[^/]+\/overview\?/;

describe.skipIf(!hasBrowser)("in a browser", { timeout: 300_000 }, () => {
  const { stage } = useStage({ demoAlone: true });
  const { visit, signedIn } = useConsole(stage);
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
    await expect.poll(() => page.url()).toMatch(/front-range#\/$/);
    expect(complaints).toEqual([]);
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
    const token = () => page.evaluate<string>("sessionStorage.getItem('console:session')");
    const before = await token();
    await page.clock.fastForward(56 * minute);
    await expect.poll(token).not.toBe(before);
    await expect.poll(() => page.getByLabel("Find a business").inputValue()).toBe("High");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out").waitFor();
    expect(await page.evaluate("Object.keys(sessionStorage)")).toEqual(["console:mustAuthenticate"]);
    // After a sign-out, the identity provider shows the persons again.
    await signIn(page, "Demo viewer");
    expect(await page.getByLabel("Find a business").inputValue()).toBe("");
    expect(complaints).toEqual([]);
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

  test("the table is saved as CSV, and a figure leads to its operation", async () => {
    const { page } = await signedIn();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /Download CSV/ }).click();
    const lines = (await textOf(await saved)).trim().split("\r\n");
    expect(lines[0]).toBe(
      'Business,Data,Sales,"Cash sold, at least","Cash sold, at most",7 days,"Cash on hand, at least","Cash on hand, at most",License,"Rule breaks, 30 days",Insights',
    );
    expect(lines.slice(1).sort()[1]).toMatch(/^High Country Remedies,/);
    const link = page.getByRole("link", { name: "API: getOverview" }).first();
    expect(await link.getAttribute("href")).toMatch(/\/docs#tag\/overview\/getOverview$/);
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
      await page.route("**/.well-known/openid-configuration", (route) => route.abort());
      await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).click();
      await notice(page).getByText("does not respond as expected").waitFor();
    });

    test.each<[string, string, RegExp]>([
      ["denies it", "error=access_denied", /You did not finish the sign-in/],
      ["reports an error", "error=server_error", /is not valid \(server_error\)/],
      ["sends no code", "x=1", /is not valid/],
    ])("if the identity provider %s", async (_, parameters, words) => {
      const { page } = await visit();
      await page.getByRole("button", { name: "Continue to your bank’s sign-in" }).click();
      await page.getByRole("button", { name: "Demo viewer" }).waitFor();
      await page.goto(stage().description.console_url);
      const { state } = JSON.parse(await page.evaluate<string>("sessionStorage.getItem('console:begun')"));
      const { console_url, identity_provider_url } = stage().description;
      const iss = encodeURIComponent(identity_provider_url);
      await page.goto(`${console_url}?state=${state}&iss=${iss}&${parameters}`);
      await notice(page).getByText(words).waitFor();
      expect(page.url()).toBe(stage().description.console_url);
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
