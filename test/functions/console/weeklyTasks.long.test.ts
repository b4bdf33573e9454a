import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { sweepOverviews } from "../../../shared/domain/overview/sweepOverviews.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { useStage } from "../../api/useStage.ts";
import { hasBrowser, useBrowser } from "../../useBrowser.ts";
import { invited } from "../connect/visit.ts";
import { heading, menuLink, type Person, useConsole } from "./useConsole.ts";

const day = 24 * 60 * 60 * 1_000;
/** A day relative to today in the time zone of the demo's first business, yyyy-MM-dd. */
const dayBefore = (days: number) => addDays(localDay(new Date(), "America/Denver"), -days);
const shortDay = (date: string) =>
  new Date(`${date}T12:00`).toLocaleDateString("en-US", { month: "short", day: "numeric" });

const pdf = "%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj\ntrailer<</Root 1 0 R>>\n";

describe.skipIf(!hasBrowser)("the eight tasks of a week", { timeout: 300_000 }, () => {
  const { stage } = useStage();
  const { visit, signedIn } = useConsole(stage);
  const openPage = useBrowser();
  const crbOf = (name: string) =>
    stage().description.crbs.find((crb) => crb.name === name)?.crb_id ?? expect.fail(`no ${name}`);

  // The sales of Lakeshore Provisioning have not been readable for two days.
  beforeAll(async () => {
    const { table } = stage();
    const key = replicationKey(crbOf("Lakeshore Provisioning"), "sale");
    const failing_since = new Date(Date.now() - 2 * day).toISOString();
    await table.put({ ...(await table.get(key)), ...key, error: "credentialsRefused", failing_since });
    const intervals = Object.fromEntries(recordKinds.map((kind) => [kind, 7 * day])) as never;
    await sweepOverviews(table, intervals);
  });

  const row = (page: Page, name: RegExp) => page.getByRole("row", { name });
  /** The sales of yesterday. The totals of a state's system may be in rows of their own. */
  const yesterdayRow = (page: Page) => row(page, new RegExp(`^${shortDay(dayBefore(1))} ?: postings\\b`));

  test.each<[Person]>([["Demo reviewer"], ["Demo viewer"]])("are done by the %s", async (person) => {
    const { page, complaints } = await signedIn(person);
    const isReviewer = person === "Demo reviewer";

    // 1. The overview of all businesses.
    const needs = page.getByRole("region", { name: /^Needs you/ });
    await needs.getByText(/\d+ matters at \d businesses/).waitFor();
    await page.getByText(/^As of /).waitFor();
    await row(page, /High Country Remedies/)
      .getByText("Current")
      .waitFor();

    // 2. The businesses whose data is stale, and what to do.
    await needs.getByRole("link", { name: /^See.*Lakeshore.*Replication fails/ }).click();
    await heading(page, 1, "Lakeshore Provisioning").waitFor();
    const sales = row(page, /^Sales /);
    await sales.getByText("Failing").waitFor();
    await sales.getByText("has to enter new ones").waitFor();

    // 3. The licenses that lapse.
    await menuLink(page, "Portfolio").click();
    await page.getByLabel("Order").selectOption("License expiry");
    await row(page, /^High Country Remedies/)
      .getByText(/^next ends /)
      .waitFor();
    expect(await page.getByRole("row").nth(1).textContent()).toMatch(/^High Country Remedies.*Expires soon/);
    await needs.getByRole("link", { name: /^See.*High Country.*License expires/ }).click();
    await row(page, /CO-R-90001/)
      .getByText(/^in \d+ days$/)
      .waitFor();

    // 4. The cash of yesterday against the deposits.
    if (isReviewer) await uploadDeposit(page);
    await menuLink(page, "Portfolio").click();
    await row(page, /High Country Remedies/)
      .getByRole("link")
      .click();
    const yesterday = yesterdayRow(page);
    await yesterday.getByText("Complete").waitFor();
    await yesterday.getByText("Within range").waitFor();
    // The viewer sees what the reviewer has uploaded.
    await yesterday.getByRole("cell", { name: "123.45" }).waitFor();

    // 5. Unusual sales.
    await menuLink(page, "Insights").click();
    await page
      .getByRole("navigation", { name: "Insights of the list" })
      .getByRole("link", { name: /Sale breaks a rule.*High Country/ })
      .click();
    const sentence = heading(page, 2, /^Sale \d+ breaks a rule: /);
    await sentence.waitFor();
    if (isReviewer) {
      await page.getByRole("radio", { name: "Keep open" }).check();
      await page.getByRole("textbox", { name: "Note" }).fill("The shop looks for the receipt.");
      await page.getByRole("button", { name: "Save", exact: true }).click();
    }
    await page.getByText("“The shop looks for the receipt.”").waitFor();
    await page
      .getByRole("article")
      .getByRole("link", { name: /^Sale \d+$/ })
      .click();
    await row(page, /^All cannabis in one sale/)
      .getByText("Breaks the rule")
      .waitFor();

    // 6. The documents that wait.
    await menuLink(page, "Documents").click();
    await page.getByText(/documents? waits? at/).waitFor();
    if (isReviewer) {
      const requirement = await page.getByRole("article").getByRole("heading", { level: 2 }).textContent();
      await page.getByRole("radio", { name: "Accept", exact: false }).first().check();
      await page.getByRole("button", { name: "Save and open the next" }).click();
      await heading(page, 2, requirement ?? "").waitFor({ state: "detached" });
    }

    // 7. A report for an examiner.
    await menuLink(page, "Statements").click();
    await page.getByLabel("Business", { exact: true }).selectOption(crbOf("High Country Remedies"));
    if (isReviewer) await page.getByRole("button", { name: "Make the statement" }).click();
    const statement = row(page, /by Demo reviewer/);
    await statement.getByRole("button", { name: "Show the files" }).click({ timeout: 120_000 });
    const href = await statement.getByRole("link", { name: "statement.html" }).getAttribute("href");
    expect(await (await fetch(href ?? "")).text()).toContain("High Country Remedies");

    // 8. Who read the data of a business: the task of an administrator.
    await menuLink(page, "Access reports").click();
    await heading(page, 2, "Administrators make these reports").waitFor();
    expect(complaints).toEqual([]);
  });

  async function uploadDeposit(page: Page) {
    await menuLink(page, "Deposits").click();
    await page.getByLabel("Business", { exact: true }).selectOption(crbOf("High Country Remedies"));
    const buffer = Buffer.from(`DATE,AMOUNT,TYPE,ID\n${dayBefore(1)},123.45,CASH,P-1\n`);
    await page.getByLabel(/^CSV file/).setInputFiles({ name: "postings.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Send 1 row" }).click();
    await heading(page, 2, "The deposits are stored").waitFor();
  }

  test("who read the data of a business is reported to the administrator", async () => {
    const { page, complaints } = await signedIn("Demo administrator");
    await menuLink(page, "Access reports").click();
    await page.getByLabel("Business", { exact: true }).selectOption(crbOf("High Country Remedies"));
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel("First day").fill(today);
    await page.getByLabel("Last day").fill(today);
    await page.getByRole("button", { name: "Make the report" }).click();
    const report = row(page, /High Country Remedies/);
    await report.getByRole("button", { name: "Show the report" }).first().click({ timeout: 120_000 });
    await page
      .getByRole("row", { name: /Demo reviewer.*List the sales of a business.*High Country Remedies/ })
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test("the owner of a business sees at /connect how a document was reviewed in the console", async () => {
    const { base_url } = stage().description;
    const business = await invited(stage());
    const { page: owner, complaints } = await openPage({ locale: "en-US" }, () => true);
    await owner.goto(`${base_url}/connect#${business.token}`);
    await owner.getByRole("button", { name: "Give consent" }).click();
    await heading(owner, 2, "Connect your point of sale").waitFor();
    await owner.getByRole("link", { name: "Documents" }).click();
    await heading(owner, 2, "Add your documents").waitFor();
    const file = { name: "license.pdf", mimeType: "application/pdf", buffer: Buffer.from(pdf) };
    await owner.locator("input[type=file]").first().setInputFiles(file);
    await owner.getByText("waiting for review").waitFor();

    const { page } = await signedIn();
    await page.getByRole("link", { name: business.name }).first().click();
    await page.getByRole("navigation", { name: business.name }).getByRole("link", { name: "Documents" }).click();
    await page.getByRole("radio", { name: "Not accepted" }).check();
    await page.getByRole("textbox", { name: "Note" }).fill("Page 2 with the signature is missing.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await heading(page, 2, "No document waits").waitFor();
    // The form is gone, so the focus moves to the content.
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
    await page
      .getByRole("status")
      .getByText(/^Saved: .*: not accepted\.$/)
      .waitFor();

    await owner.reload();
    await owner.getByText("Page 2 with the signature is missing.").first().waitFor();
    await owner
      .locator("input[type=file]")
      .first()
      .setInputFiles({ ...file, name: "whole-license.pdf" });
    await owner.getByText("waiting for review").waitFor();
    await page.reload();
    await page.getByRole("radio", { name: "Accept", exact: false }).first().check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await heading(page, 2, "No document waits").waitFor();
    await owner.reload();
    await owner.getByText(/^approved/).waitFor();
    expect(complaints).toEqual([]);
  });

  test("are done by keyboard alone, with a visible focus at each stop", async () => {
    const { page, complaints } = await visit();
    const press = (key: string) => page.keyboard.press(key);
    /** Moves the focus to an element by Tab. */
    async function tabTo(target: Locator) {
      await target.waitFor();
      const focused = target.and(page.locator(":focus"));
      for (let stops = 0; (await focused.count()) === 0; stops++) {
        if (stops > 150) expect.fail(`The tab order has no ${target}.`);
        await press("Tab");
        if (page.url().startsWith(stage().description.console_url)) await expectVisibleFocus(page);
      }
    }
    async function enter(target: Locator) {
      await tabTo(target);
      await press("Enter");
    }
    /** Chooses an option of a select by arrow keys. */
    async function choose(label: string, option: RegExp) {
      const select = page.getByLabel(label, { exact: true });
      await select.locator("option").filter({ hasText: option }).first().waitFor({ state: "attached" });
      await tabTo(select);
      for (let i = 0; i < 20; i++) {
        if (option.test((await select.locator("option:checked").textContent()) ?? "")) return;
        await press("ArrowDown");
      }
      expect.fail(`${label} has no ${option}.`);
    }
    const link = (name: string | RegExp) => page.getByRole("link", { name });
    const button = (name: string | RegExp) => page.getByRole("button", { name });

    await enter(button("Continue to your bank’s sign-in"));
    await enter(button("Demo reviewer"));
    await row(page, /High Country Remedies/).waitFor();

    await enter(link(/^See.*Lakeshore.*Replication fails/));
    await row(page, /^Sales /)
      .getByText("has to enter new ones")
      .waitFor();
    await enter(menuLink(page, "Portfolio"));
    await choose("Order", /License expiry/);
    await enter(link(/^See.*High Country.*License expires/));
    await row(page, /CO-R-90001/).waitFor();

    await enter(menuLink(page, "Deposits"));
    await choose("Business", /High Country/);
    const file = page.waitForEvent("filechooser");
    await enter(page.getByLabel(/^CSV file/));
    const buffer = Buffer.from(`DATE,AMOUNT,TYPE,ID\n${dayBefore(1)},67.89,CASH,P-2\n`);
    await (await file).setFiles({ name: "postings.csv", mimeType: "text/csv", buffer });
    await enter(button("Send 1 row"));
    await enter(link("the business, day by day"));
    await yesterdayRow(page).waitFor();
    // The day cursor of the chart moves by arrow keys.
    const slider = page.getByRole("slider");
    await tabTo(slider);
    const newest = await slider.getAttribute("aria-valuetext");
    await press("ArrowLeft");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).not.toBe(newest);
    await page
      .getByRole("status")
      .getByText(`${await slider.getAttribute("aria-valuetext")}`, { exact: true })
      .waitFor();

    await enter(menuLink(page, "Insights"));
    const queue = page.getByRole("navigation", { name: "Insights of the list" });
    await enter(queue.getByRole("link").first());
    const sentence = await page.getByRole("article").getByRole("heading", { level: 2 }).textContent();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(sentence);
    await tabTo(page.getByRole("radio", { name: "Explained" }));
    await press("Space");
    await press("ArrowUp");
    await expect.poll(() => page.getByRole("radio", { name: "Keep open" }).isChecked()).toBe(true);
    await tabTo(page.getByRole("textbox", { name: "Note" }));
    await page.keyboard.type("A test sale of the shop.");
    await enter(button(/^Save$/));
    await page.getByText("“A test sale of the shop.”").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(sentence);

    await enter(menuLink(page, "Documents"));
    await heading(page, 1, "Documents to review").waitFor();
    await tabTo(page.getByRole("radio", { name: "Accept", exact: false }).first());
    await press("ArrowDown");
    await tabTo(page.getByRole("textbox", { name: "Note" }));
    await page.keyboard.type("Page 2 is missing.");
    const waiting = await page.getByText(/documents? waits? at/).textContent();
    await enter(button(/^Save/).first());
    await expect.poll(() => page.getByRole("main").textContent()).not.toContain(waiting);

    await enter(menuLink(page, "Statements"));
    await choose("Business", /High Country/);
    await enter(button("Make the statement"));
    await enter(button("Show the files").first());
    await tabTo(link("statement.html").first());
    await enter(menuLink(page, "Access reports"));
    await heading(page, 2, "Administrators make these reports").waitFor();
    await enter(button("Sign out"));
    await page.getByText("You are signed out").waitFor();
    expect(complaints).toEqual([]);
  });
});

/** Expects that the focus is inside the window, and has an outline of at least 2 pixels, as soon as the page is drawn. */
async function expectVisibleFocus(page: Page) {
  await expect.poll(() => hiddenFocus(page), { interval: 20 }).toBeUndefined();
}

/** The focused element if a user does not see that it has the focus. */
function hiddenFocus(page: Page) {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    // The page moves the focus to headings; they are no stops.
    if (!element || element === document.body || element.tabIndex < 0) return undefined;
    // The outline of a choice is that of its label.
    const shown = element.type === "radio" || element.type === "checkbox" ? element.closest("label") : element;
    const width = Math.max(...[element, shown].map((each) => {
      const style = getComputedStyle(each);
      return style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
    }));
    const box = element.getBoundingClientRect();
    const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    return isInside && width >= 2 ? undefined : { name: element.outerHTML.slice(0, 200), width, isInside };
  })()`);
}
