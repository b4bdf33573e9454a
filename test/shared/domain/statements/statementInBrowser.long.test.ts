import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import { findAccessibilityIssues } from "../../../findAccessibilityIssues.ts";
import { hasBrowser, useBrowser } from "../../../useBrowser.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { busyDay, InsightShop, lastDay } from "../insights/insightShop.ts";
import { givenStatements, textOf } from "./givenStatements.ts";

const table = useTestTable();
useTestBucket();
useQueues();

/** Pixels of a letter page between its margins. */
const paperWidth = 725;

describe.skipIf(!hasBrowser)("the page of a statement", () => {
  const open = useBrowser();

  test.each([360, 1280])(
    "has no accessibility issue and loads nothing at %i pixels, and prints on paper",
    async (width) => {
      const { shop, crbId, spId, clock, directory, make } = await givenStatements(table());
      shop.pos.put("sale", ...InsightShop.usualSales(), ...busyDay(lastDay));
      await shop.run();
      const owner = { spId, crbId };
      await setCashCount(table(), owner, { date: "2026-03-31", amount: 50_000 }, clock);
      await shop.decide("escalated", `${"W".repeat(250)} ${"<b>".repeat(80)}`);
      const deposits = [{ id: "M".repeat(64), posted_date: "2026-04-07", amount: 48_000, type: "cash" }] as const;
      await storeDeposits(table(), owner, deposits, clock);
      const before = await make({ start_date: "2026-02-20" });
      const { stored } = await make({ start_date: "2026-02-20", format: "html", compare_with: before.id });
      const file = join(directory, "statement.html");
      writeFileSync(file, await textOf(stored, "statement.html"));
      const address = pathToFileURL(file).href;
      const { page, complaints } = await open({ viewport: { width, height: 900 } }, (url) => url === address);
      await page.goto(address);
      expect(await findAccessibilityIssues(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.emulateMedia({ media: "print" });
      await page.setViewportSize({ width: paperWidth, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(paperWidth);
      const paper = await page.pdf({ preferCSSPageSize: true });
      if (process.env.STATEMENT_PDF) writeFileSync(process.env.STATEMENT_PDF, paper);
      expect(paper.toString("latin1").match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(10);
      expect(complaints).toEqual([]);
    },
  );
});
