import { createHash } from "node:crypto";
import { escapeHtml } from "../../../shared/text/escapeHtml.ts";
import { withEscapes } from "../../../shared/text/invisible.ts";
import type { Received } from "./received.ts";

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
article { border-top: 1px solid #8886; padding: .75rem 0 }
h2 { font-size: 1rem; margin: 0; display: flex; gap: 1rem; flex-wrap: wrap; justify-content: space-between }
p { margin: .25rem 0; opacity: .8 }
pre { margin: .5rem 0 0; padding: .5rem .75rem; background: #8882; border-radius: .25rem; white-space: pre-wrap; overflow-wrap: anywhere }
.good, .bad { font-weight: normal }
.good::before { content: "✓ "; color: #2a8a3e }
.bad::before { content: "✗ "; color: #d33 }
`;

export const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  // Every program on this machine can send content to the receiver.
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
};

/** Escapes text for the page. Invisible characters, such as direction marks, become escape sequences. */
const plain = (text: string): string => escapeHtml(withEscapes(text));

/** The page of received webhooks, newest first. */
export function pageOf(received: readonly Received[], names: ReadonlyMap<string, string>): string {
  const shown = received.map(({ at, type, date, crbId, body, fault, id }) => {
    const business = crbId === null ? "not about one business" : (names.get(crbId) ?? crbId);
    const signature =
      fault === null
        ? '<span class="good">signature is valid</span>'
        : `<span class="bad">signature is invalid: ${plain(fault)}</span>`;
    return (
      `<article><h2><span>${plain(type)}</span>${signature}</h2>` +
      `<p>${plain(business)}, ${plain(date)}</p><p>received ${plain(at)} as <code>${plain(id)}</code></p>` +
      `<pre>${linesOf(body).map(plain).join("\n")}</pre></article>`
    );
  });
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Webhooks of the local stage</title>
  <style>${style}</style>
  <h1>Webhooks of the local stage</h1>
  <p>The events that the demo's service provider received, newest first. Reload the page after an event.</p>
  ${shown.reverse().join("\n  ") || "<p>None yet.</p>"}
</html>
`;
}

/** The lines of a body: formatted if it is JSON, otherwise unchanged. */
function linesOf(body: string): string[] {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split("\n");
  } catch {
    return body.split("\n");
  }
}
