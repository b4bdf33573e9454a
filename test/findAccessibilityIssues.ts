import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * What the accessibility checker finds in a page, in one line each.
 *
 * @param part a CSS selector of what is checked; everything when absent
 */
export async function findAccessibilityIssues(page: Page, part = "html"): Promise<string[]> {
  // By the debugger: the page's policy lets no other script in.
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
