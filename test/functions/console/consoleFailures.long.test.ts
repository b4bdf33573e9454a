import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { engineAccess } from "../../../infra/local/environment.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { bucketOf } from "../../../shared/domain/documents/bucket.ts";
import { useStage } from "../../api/useStage.ts";
import { hasBrowser } from "../../useBrowser.ts";
import { expectSound } from "../connect/visit.ts";
import { raiseInsight } from "../insights/raiseInsight.ts";
import { menuLink, useConsole } from "./useConsole.ts";

const wholesale = "Emerald Coast Distribution";
const minute = 60_000;

describe.skipIf(!hasBrowser)(
  "a decision that cannot be saved says what to do, and loses no input:",
  { timeout: 300_000 },
  () => {
    const { stage } = useStage({ demoAlone: true });
    const { signedIn } = useConsole(stage);

    const crbId = () =>
      stage().description.crbs.find(({ name }) => name === wholesale)?.crb_id ?? expect.fail("no business");

    // It depends on the day whether the demo has an insight of this business.
    beforeAll(async () => {
      const { table, description } = stage();
      const of = { spId: description.service_provider.sp_id, crbId: crbId() };
      await raiseInsight(table, of, "no_sales", "2026-05-05");
    });

    /** The note of the test. */
    let note = "";
    const noteOf = (page: Page) => page.getByRole("textbox", { name: "Note" });
    const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();

    /** Opens an insight of a business, and fills in a decision. */
    async function deciding() {
      note = `The shop looks for receipt ${randomUUID()}.`;
      const { page } = await signedIn();
      await menuLink(page, "Insights").click();
      await page
        .getByRole("navigation", { name: "Insights of the list" })
        .getByRole("link", { name: new RegExp(wholesale) })
        .first()
        .click();
      await page.getByRole("radio", { name: "Keep open" }).check();
      await noteOf(page).fill(note);
      return page;
    }

    async function expectInput(page: Page) {
      await expect.poll(() => noteOf(page).inputValue()).toBe(note);
      expect(await page.getByRole("radio", { name: "Keep open" }).isChecked()).toBe(true);
    }

    test.each<[string, number, object, RegExp]>([
      ["403 of a role", 403, { code: "role_missing", message: "x" }, /the person who manages them can change yours/],
      ["403 of a proxy", 403, {}, /a network that blocks it/],
      ["429", 429, { message: "x" }, /wait a minute/],
    ])("%s", async (name, status, json, words) => {
      const page = await deciding();
      await page.route("**/insights/*", (route) => route.fulfill({ status, json }));
      await save(page);
      await page.getByRole("alert").getByText(words).waitFor();
      await expectInput(page);
      await expectSound(page, `console-decision-${name.replaceAll(" ", "-")}`);
    });

    test("offline, and it is saved after that", async () => {
      const page = await deciding();
      await page.context().setOffline(true);
      await save(page);
      await page
        .getByRole("alert")
        .getByText(/check your connection/)
        .waitFor();
      await expectInput(page);
      await page.context().setOffline(false);
      await save(page);
      await page.getByText(`“${note}”`).waitFor();
    });

    test("an ended session: the sign-in returns to the same form", async () => {
      const page = await deciding();
      // A token that ends within a minute after the sign-in means that access has ended.
      const session = JSON.parse(await page.evaluate<string>("sessionStorage.getItem('console:session')"));
      const old = JSON.stringify(JSON.stringify({ ...session, signedInAt: session.signedInAt - 2 * minute }));
      await page.evaluate(`sessionStorage.setItem('console:session', ${old})`);
      await page.reload();
      await expectInput(page);
      await page.route("**/insights/*", (route) => route.fulfill({ status: 401, json: {} }), { times: 1 });
      await save(page);
      await expect
        .poll(() => page.evaluate<string>("sessionStorage.getItem('console:session')"))
        .not.toContain(session.token);
      await expectInput(page);
      await save(page);
      await page.getByText(`“${note}”`).waitFor();
    });

    test("the association has ended in another tab", async () => {
      const page = await deciding();
      await endAssociation(stage().table, bucketOf("documents", engineAccess), crbId());
      await save(page);
      const notice = page.getByRole("alert");
      await notice.getByText("your bank’s access to this business has ended. Go back to the portfolio").waitFor();
      await expectInput(page);
      await expectSound(page, "console-decision-ended");
      await page.getByRole("article").getByRole("link", { name: wholesale }).click();
      await notice
        .getByText(/access to this business has ended/)
        .first()
        .waitFor();
      await expectSound(page, "console-business-ended");
      await menuLink(page, "Portfolio").click();
      await page.getByRole("row", { name: /High Country/ }).waitFor();
      await expect.poll(() => page.getByText(wholesale).count()).toBe(0);
    });
  },
);
