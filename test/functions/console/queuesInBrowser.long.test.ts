import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
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

  test("the explanation of a flagged sale shows nothing about its customer", async () => {
    const { crbs } = stage().description;
    const lists = crbs.map(async ({ crb_id }) => ({ crb_id, ...(await call("GET", `/crbs/${crb_id}/sales?limit=1`)) }));
    const { crb_id, data } =
      (await Promise.all(lists)).find((list) => list.data[0]?.type === "wholesale") ?? expect.fail();
    const { page, complaints } = await open("Demo viewer", `/businesses/${crb_id}/sales?sale=${data[0]?.id}`);
    await heading(page, 2, /^Sale /).waitFor();
    // A wholesale sale has no checks, so that the list does not have it.
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
