import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { addDays } from "../../../shared/time/addDays.ts";
import { useStage } from "../../api/useStage.ts";
import { hasBrowser } from "../../useBrowser.ts";
import { expectSound } from "../connect/visit.ts";
import { heading, menuLink, type Person, signIn, useConsole } from "./useConsole.ts";

const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

/** The title of an insight; for a sale that breaks a rule it names the receipt and the rule. */
const titleOf = ({ code, sentence }: { code?: string; sentence: string }) =>
  code === "flagged_sale"
    ? /^Sale \d+ breaks a rule: [a-z ,]+, \w{3} \d+/
    : sentence.replaceAll(/\d{4}-\d\d-\d\d/g, (day) =>
        new Date(day).toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" }),
      );

describe.skipIf(!hasBrowser)("in a browser", { timeout: 300_000 }, () => {
  const { stage } = useStage({ demoAlone: true });
  const { visit, call } = useConsole(stage);

  /** Opens a screen of the console as a person of the demo. */
  async function open(person: Person, screen: string) {
    const visited = await visit(`${stage().description.console_url}#${screen}`);
    await signIn(visited.page, person);
    return visited;
  }

  /** Signs in at a place that reads no list, so that responses can be changed before a screen opens. */
  async function openNowhere() {
    const visited = await open("Demo viewer", "/nowhere");
    await heading(visited.page, 1, "Not found").waitFor();
    return visited;
  }

  test("a reviewer decides on an insight, and another decision meanwhile loses no note", async () => {
    const { page, complaints } = await open("Demo reviewer", "/insights");
    const { data } = await call("GET", "/insights?status=open&limit=1000");
    const [first, second] = data;
    if (!first || !second) throw new Error("the demo has too few insights");
    const items = page.getByRole("navigation", { name: "Insights of the list" }).getByRole("listitem");
    await heading(page, 2, titleOf(first)).waitFor();
    expect(await items.count()).toBe(data.length);
    const openInMenu = (count: number) => menuLink(page, `Insights ${count} open`).waitFor();
    await openInMenu(data.length);
    await expectSound(page, "console-insights");

    // The browser checks the fields, and the focus goes to the first one without a value.
    await page.getByRole("button", { name: "Save and open the next" }).click();
    expect(await page.evaluate("document.activeElement.validity.valueMissing")).toBe(true);
    await page.getByRole("radio", { name: "Explained" }).check();
    await page.getByRole("textbox", { name: "Note" }).fill("The shop sent its cash book.");
    // The text stays while another insight is open.
    await items.nth(1).getByRole("link").click();
    await expect.poll(() => page.getByRole("textbox", { name: "Note" }).inputValue()).toBe("");
    await items.nth(0).getByRole("link").click();
    await page.reload();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Note" }).inputValue())
      .toBe("The shop sent its cash book.");

    await page.route("**/insights/*", (route) => route.fulfill({ status: 403, json: { code: "role_missing" } }));
    await page.getByRole("button", { name: "Save and open the next" }).click();
    await page.getByRole("alert").getByText("Your role, reviewer, does not include this").waitFor();
    await page.unroute("**/insights/*");

    await call("PUT", `/insights/${first.id}`, { status: "open", note: "Checked.", revision: first.revision });
    await page.getByRole("button", { name: "Save and open the next" }).click();
    await page.getByRole("alert").getByText("has changed since you opened it").waitFor();
    await expectSound(page, "console-insights-conflict");
    await page.getByRole("button", { name: "Load again" }).click();
    await page.getByText("“Checked.”").waitFor();
    await expect.poll(() => focused(page)).toMatch(titleOf(first));
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByRole("button", { name: "Save and open the next" }).click();
    await heading(page, 2, titleOf(second)).waitFor();
    await expect.poll(() => focused(page)).toMatch(titleOf(second));
    await expect.poll(() => items.count()).toBe(data.length - 1);
    await openInMenu(data.length - 1);

    await page.getByText(/^Saved: .+: explained\.$/).waitFor();
    await page.getByRole("link", { name: "Open it again" }).click();
    await heading(page, 2, titleOf(first)).waitFor();
    // The confirmation ends with the place that was opened after the decision.
    expect(await page.getByText(/^Saved: /).count()).toBe(0);
    await page.getByLabel("Show").selectOption("Explained");
    await heading(page, 2, titleOf(first)).waitFor();
    await page.getByText("“The shop sent its cash book.”").waitFor();
    expect(await page.getByRole("article").getByText("Demo reviewer", { exact: true }).count()).toBe(1);
    await page.getByLabel("Show").selectOption("Withdrawn");
    await heading(page, 2, "No insight is withdrawn").waitFor();
    await expectSound(page, "console-insights-none");
    expect(complaints.filter((each) => !/\b(403|409)\b/.test(each))).toEqual([]);
  });

  test("an insight about many sales says that it names a part of them", async () => {
    const [first] = (await call("GET", "/insights?status=open")).data;
    const sales = [{ id: randomUUID(), pos_sale_id: null, rules: [{ id: "a", name: "Minimum age" }] }];
    const many = { ...first, code: "flagged_sale", unit: "sales", measured: 57, inputs: { ...first.inputs, sales } };
    const { page, complaints } = await openNowhere();
    await page.route(/\/insights\?/, (route) => route.fulfill({ json: { data: [many], cursor: "", has_more: false } }));
    await page.evaluate('location.hash = "#/insights"');
    await heading(page, 2, /^57 sales break rules, 1 of them: minimum age, /).waitFor();
    await page.getByRole("link", { name: `Sale ${sales[0]?.id}` }).waitFor();
    await page.getByText("These are 1 of 57 sales.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a period with too many sales is shortened to the 30 days of the overview, and the choices stay", async () => {
    const { crb_id } = stage().description.crbs[0] ?? expect.fail("no business");
    const { page, complaints } = await openNowhere();
    const list = /\/sales\?.*compliance_status=/;
    const starts: string[] = [];
    await page.route(list, (route) => {
      const { searchParams } = new URL(route.request().url());
      const [start = "", end = ""] = ["start_date", "end_date"].map((name) => searchParams.get(name) ?? "");
      starts.push(start);
      if (end <= addDays(start, 31)) return route.continue();
      return route.fulfill({ status: 422, json: { code: "window_required", message: "x" } });
    });
    await page.evaluate(`location.hash = "#/businesses/${crb_id}/sales"`);
    await page.getByText(/\d sales? of 30 days only, because longer periods have too many/).waitFor();
    const { timezone } = await call("GET", `/crbs/${crb_id}`);
    const today = new Date().toLocaleDateString("sv", { timeZone: timezone });
    expect(starts).toEqual([addDays(today, -89), addDays(today, -29)]);
    await page.unroute(list);
    await page.route(list, (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByLabel("Period").selectOption("A year");
    await page.getByRole("alert").getByText("The list of sales that rules flag could not be loaded").waitFor();
    await expectSound(page, "console-flagged-sales-failed");
    await page.unroute(list);
    await page.getByLabel("Period").selectOption("30 days");
    await page.getByRole("alert").waitFor({ state: "detached" });
    expect(complaints.filter((each) => !/\b(422|503)\b/.test(each))).toEqual([]);
  });

  test("a number of unchecked sales that cannot be read does not look like none", async () => {
    const [first] = stage().description.crbs;
    const { page, complaints } = await openNowhere();
    const insights = /\/insights\?limit=1$/;
    await page.route(insights, (route) => route.fulfill({ status: 503, json: {} }));
    await page.evaluate(`location.hash = "#/businesses/${first?.crb_id}/sales"`);
    const alert = page.getByRole("alert");
    await alert.getByText("The number of sales that could not be checked could not be loaded").waitFor();
    await expectSound(page, "console-unchecked-sales-failed");
    await page.unroute(insights);
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByText(/could not be fully checked in the 28 complete days/).waitFor();
    expect(complaints.filter((each) => !each.includes("503"))).toEqual([]);
  });

  /** A wholesale sale. It has no checks, so no list of sales that rules flag has it. */
  async function wholesaleSale(): Promise<{ crb_id: string; id: string }> {
    const { crbs } = stage().description;
    const lists = crbs.map(async ({ crb_id }) => ({ crb_id, ...(await call("GET", `/crbs/${crb_id}/sales?limit=1`)) }));
    const { crb_id, data } =
      (await Promise.all(lists)).find((list) => list.data[0]?.type === "wholesale") ?? expect.fail("no such sale");
    return { crb_id, id: data[0].id };
  }

  test("a sale that cannot be read is named by its id, and can be read again", async () => {
    const { crb_id, id } = await wholesaleSale();
    const { page, complaints } = await openNowhere();
    const sales = /\/sales\?(?!.*compliance_status=)/;
    await page.route(sales, (route) => route.fulfill({ status: 503, json: {} }));
    await page.evaluate(`location.hash = "#/businesses/${crb_id}/sales?sale=${id}"`);
    await page.getByRole("alert").getByText("The sale could not be loaded").waitFor();
    await heading(page, 2, `Sale ${id}`).waitFor();
    await page.unroute(sales);
    await page.getByRole("button", { name: "Try again" }).click();
    await heading(page, 2, /Products sold/).waitFor();
    expect(complaints.filter((each) => !each.includes("503"))).toEqual([]);
  });

  test("the explanation of a flagged sale shows nothing about its customer", async () => {
    const { crbs } = stage().description;
    const { crb_id, id } = await wholesaleSale();
    const { page, complaints } = await open("Demo viewer", `/businesses/${crb_id}/sales?sale=${id}`);
    await heading(page, 2, /^Sale /).waitFor();
    await page.getByText("No rule is checked").waitFor();
    await heading(page, 2, /Products sold/).waitFor();
    await expectSound(page, "console-sale-of-insight");
    const [first] = crbs;
    await page.evaluate(`location.hash = "#/businesses/${first?.crb_id}/sales"`);
    await page.getByLabel("Period").selectOption("A year");
    await page
      .getByRole("link", { name: /^Breaks a rule/ })
      .first()
      .click();
    await expect.poll(() => focused(page)).toMatch(/^Sale \d+: /);
    const age = page.getByRole("row", { name: /Minimum age/ });
    await age.getByText("not shown: it is about the customer").waitFor();
    expect(await page.getByRole("main").textContent()).not.toMatch(/buyer|\b(?!21\b)\d+ years/);
    // The share of sales that could not be checked is next to those that break a rule.
    await page
      .getByText(/of [\d,]+ retail sales \([\d.]+%\) could not be fully checked in the 28 complete days .+ to /)
      .click();
    await page
      .getByRole("listitem")
      .getByText(/^[\d,]+ sales?: [A-Z].+\.$/)
      .first()
      .waitFor();
    await page
      .getByRole("link", { name: /All cannabis in one sale/ })
      .first()
      .click();
    await page.getByRole("figure").getByText("limit 28.35 g").waitFor();
    await expectSound(page, "console-flagged-sales");
    expect(complaints).toEqual([]);
  });

  test("a reviewer opens a document, accepts it, and the next one is opened", async () => {
    const { page, complaints } = await open("Demo reviewer", "/documents");
    await page.getByText("3 documents wait at 2 businesses").waitFor();
    await heading(page, 2, "State cannabis license").waitFor();
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
    await expectSound(page, "console-documents");
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Open in a new tab" }).click();
    const tab = await opened;
    await expect.poll(() => tab.url()).toMatch(/^blob:/);
    await tab.close();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download", exact: true }).click();
    expect((await saved).suggestedFilename()).toBe("retail-license.pdf");

    await page.getByRole("radio", { name: "Not accepted" }).check();
    await page.getByRole("button", { name: "Save and open the next" }).click();
    expect(await page.evaluate("document.activeElement.name")).toBe("note");
    await page.getByRole("radio", { name: "Accept", exact: false }).first().check();
    await page.getByRole("button", { name: "Save and open the next" }).click();
    await page.getByText("2 documents wait at 2 businesses").waitFor();
    await menuLink(page, "Documents 2 open").waitFor();
    await expect.poll(() => focused(page)).toBe("Proof of insurance");
    expect((await call("GET", "/documents-to-review")).data).toHaveLength(2);

    // The decision is confirmed by its document, listed with the person, and can be taken back.
    await page.getByText("Saved: State cannabis license of High Country Remedies: accepted.").waitFor();
    const reviewed = page.getByRole("region", { name: /^Reviewed documents/ });
    const accepted = reviewed.getByRole("row", { name: /^State cannabis license/ });
    await accepted.getByText("Demo reviewer").waitFor();
    await expectSound(page, "console-documents-reviewed");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("3 documents wait at 2 businesses").waitFor();
    await accepted.waitFor({ state: "detached" });

    const [, , wholesale] = stage().description.crbs;
    await page.evaluate(`location.hash = "#/businesses/${wholesale?.crb_id}/documents"`);
    await heading(page, 2, "No document waits").waitFor();
    await expectSound(page, "console-documents-none");
    expect(complaints).toEqual([]);
  });

  test("a review of another person is neither replaced nor lost without words", async () => {
    const { page, complaints } = await open("Demo reviewer", "/documents");
    await heading(page, 2, "State cannabis license").waitFor();
    const { crb_id, requirement_id, document } = (await call("GET", "/documents-to-review")).data.at(-1);
    const template = `/crbs/${crb_id}/onboarding-template`;
    const review = (body: object) =>
      call("PUT", `${template}/requirements/${requirement_id}/documents/${document.id}`, body);
    const unreviewed = await call("GET", template);
    const save = () => page.getByRole("button", { name: "Save", exact: true }).click();
    const alert = page.getByRole("alert");
    await page.getByRole("radio", { name: "Not accepted" }).check();
    await page.getByRole("textbox", { name: "Note" }).fill("The license has expired.");
    await review({ status: "approved" });
    await save();
    await alert.getByText("A program had already decided: accepted. Your decision was not stored").waitFor();
    await expectSound(page, "console-documents-conflict");
    // The other review comes right before this one.
    await review({ status: "archived", review_note: "Page 2 is missing." });
    await page.route(/\/onboarding-template$/, (route) => route.fulfill({ json: unreviewed }), { times: 1 });
    await save();
    await alert.getByText("A program had already decided: not accepted. Your decision was not stored").waitFor();
    await page.getByRole("button", { name: "Load again" }).click();
    await heading(page, 2, "This document no longer waits").waitFor();
    const reviewed = page.getByRole("row", { name: /^State cannabis license/ });
    await reviewed.getByText("Page 2 is missing.").waitFor();
    // The note is still there if the document waits again.
    await reviewed.getByRole("button", { name: "Open again" }).click();
    await heading(page, 2, "State cannabis license").waitFor();
    expect(await page.getByRole("textbox", { name: "Note" }).inputValue()).toBe("The license has expired.");
    expect(complaints).toEqual([]);
  });

  test("the address of a document that no longer waits opens no other document", async () => {
    const { page, complaints } = await open("Demo reviewer", `/documents/${randomUUID()}`);
    await heading(page, 2, "This document no longer waits").waitFor();
    expect(await page.getByRole("radio").count()).toBe(0);
    await expectSound(page, "console-documents-gone");
    await page.getByRole("link", { name: "the documents that wait" }).click();
    await heading(page, 2, "State cannabis license").waitFor();
    expect(complaints).toEqual([]);
  });

  test("the oldest of many documents comes first, and documents that were not read are counted", async () => {
    const [item] = (await call("GET", "/documents-to-review")).data;
    const { page, complaints } = await openNowhere();
    /** The documents that can be read. The list counts 1,001. */
    let waiting = Array.from({ length: 1_001 }, (_, i) => ({
      ...{ ...item, requirement_name: `Requirement ${i}` },
      document: { ...item.document, id: randomUUID() },
    }));
    await page.route(/\/documents-to-review\?/, (route) => {
      const offset = Number(new URL(route.request().url()).searchParams.get("offset"));
      const data = waiting.slice(offset, offset + 1_000);
      return route.fulfill({ json: { metadata: { total: 1_001, count: "" }, data } });
    });
    await page.evaluate('location.hash = "#/documents"');
    await heading(page, 2, "Requirement 1000").waitFor();
    await page.getByText("1,001 documents wait at 1 business").waitFor();
    waiting = waiting.slice(0, 2);
    await page.evaluate('location.hash = "#/nowhere"');
    await heading(page, 1, "Not found").waitFor();
    await page.evaluate('location.hash = "#/documents"');
    await page.getByText("At least 2 documents wait at 1 business").waitFor();
    await page.getByText("Oldest first, 2 of 1001 that could be read").waitFor();
    const other = stage().description.crbs.find(({ crb_id }) => crb_id !== item.crb_id);
    await page.evaluate(`location.hash = "#/businesses/${other?.crb_id}/documents"`);
    await heading(page, 2, "Not all documents could be read").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a viewer sees insights and documents, and the reason why there is no form", async () => {
    const { page, complaints } = await open("Demo viewer", "/insights");
    await page.getByText("Your role, viewer, cannot decide").waitFor();
    expect(await page.getByRole("radio").count()).toBe(0);
    await expectSound(page, "console-insights-viewer");
    await page.getByRole("link", { name: "Documents" }).first().click();
    await page.getByText("Your role, viewer, cannot review documents").waitFor();
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
