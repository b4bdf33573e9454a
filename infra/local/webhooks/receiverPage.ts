import { escapeHtml } from "../../../shared/text/escapeHtml.ts";
import { withEscapes } from "../../../shared/text/invisible.ts";
import { stagePage } from "../stagePage.ts";
import type { Received } from "./received.ts";

/** Escapes text for the page. Invisible characters, such as direction marks, become escape sequences. */
const plain = (text: string): string => escapeHtml(withEscapes(text));

/** The page of received webhooks, newest first. Neighboring ones about changed records are one group, since they are many. */
export function pageOf(received: readonly Received[], names: ReadonlyMap<string, string>): string {
  const intro = "The events that the demo's service provider received, newest first. Reload the page after an event.";
  const groups: Received[][] = [];
  for (const one of received.toReversed()) {
    const last = groups.at(-1)?.at(-1);
    if (last && isOfChanges(last) && isOfChanges(one)) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  const shown = groups.map((group) => {
    const articles = group.map((one) => articleOf(one, names)).join("\n  ");
    const [{ type = "" } = {}] = group;
    return group.length === 1
      ? articles
      : `<details><summary>${plain(type)}, ${group.length} times</summary>\n  ${articles}</details>`;
  });
  const title = "Webhooks of the local stage";
  return stagePage(title, [`<p>${intro}</p>`, ...(shown.length > 0 ? shown : ["<p>None yet.</p>"])]);
}

const isOfChanges = ({ type, fault }: Received): boolean => type === "records.changed" && fault === null;

function articleOf({ at, type, date, crbId, body, fault, id }: Received, names: ReadonlyMap<string, string>): string {
  const business = crbId === null ? "not about one business" : (names.get(crbId) ?? crbId);
  const signature =
    fault === null
      ? '<span class="good">✓ signature is valid</span>'
      : `<span class="bad">✗ signature is invalid: ${plain(fault)}</span>`;
  return (
    `<article><h2><span>${plain(type)}</span>${signature}</h2>` +
    `<p>${plain(business)}, ${plain(date)}</p><p>received ${plain(at)} as <code>${plain(id)}</code></p>` +
    `<pre>${linesOf(body).map(plain).join("\n")}</pre></article>`
  );
}

/** The lines of a body: formatted if it is JSON, otherwise unchanged. */
function linesOf(body: string): string[] {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split("\n");
  } catch {
    return body.split("\n");
  }
}
