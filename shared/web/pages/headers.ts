/**
 * The headers of a page: nobody frames it, learns where its visitor came from, or takes its content for another type.
 *
 * @param policy directives of its content security policy; what they do not name is forbidden
 */
export const pageHeaders = (policy: readonly string[]): Record<string, string> => ({
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  "Content-Security-Policy": [
    "default-src 'none'",
    ...policy,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
});

/** The headers of what a page loads: kept for a year, since another content has another name. */
export const assetHeaders = (contentType: string): Record<string, string> => ({
  "Content-Type": contentType,
  "Cache-Control": "public, max-age=31536000, immutable",
  "X-Content-Type-Options": "nosniff",
});
