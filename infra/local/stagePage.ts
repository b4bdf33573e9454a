import { createHash } from "node:crypto";

const style = `
:root { color-scheme: light dark; --page: light-dark(#fafaf8, #14171a); --paper: light-dark(#fff, #1c2024);
  --ink: light-dark(#1f2528, #e8eaeb); --faint: light-dark(#586268, #a3adb3); --line: light-dark(#dcdfe0, #353c42);
  --accent: light-dark(#0f6b64, #5cc8bc); --wrong: light-dark(#a4262c, #ff9a94) }
* { box-sizing: border-box }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 48rem; margin: 0 auto;
  padding: clamp(1rem, 4vw, 2.5rem) 1rem 4rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem }
article, details { background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .75rem 0 }
details > article { border-width: 1px 0 0; border-radius: 0; margin: .75rem 0 0; padding: .75rem 0 0 }
h2 { font-size: 1rem; margin: 0; display: flex; gap: 0 1rem; flex-wrap: wrap; justify-content: space-between }
summary { cursor: pointer; font-weight: 600 }
p { margin: .25rem 0; color: var(--faint) }
pre { margin: .5rem 0 0; font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap }
a { color: var(--accent) }
button { font: inherit; font-weight: 600; color: var(--accent); background: none; border: 1px solid; border-radius: .4rem;
  min-height: 2.75rem; padding: .3rem 1rem; cursor: pointer }
.good, .bad { font-weight: normal }
.good { color: var(--accent) }
.bad { color: var(--wrong) }
`;

/** The headers of `stagePage`. Its content comes from callers and from programs of this machine, so nothing in it runs. */
export const stagePageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
};

/** A page of the local stage. @param parts in HTML, already escaped */
export const stagePage = (title: string, parts: readonly string[]): string => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <style>${style}</style>
  <main>
  <h1>${title}</h1>
  ${parts.join("\n  ")}
  </main>
</html>
`;
