import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * Returns the accessibility checker's findings for a page, one line each.
 *
 * @param part a CSS selector of the checked part; the whole page when absent
 */
export async function findAccessibilityIssues(page: Page, part = "html"): Promise<string[]> {
  // Uses the debugger, because the page's policy blocks other scripts.
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) =>
    (await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })).result.value;
  await evaluate(axe.source);
  const found = await evaluate(
    `axe.run(${JSON.stringify(part)}).then(({ violations, passes }) => passes.length === 0 ? ["nothing was checked"] : ` +
      "violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))",
  );
  await session.detach();
  return found;
}
