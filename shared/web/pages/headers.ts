/**
 * The headers of a page. They prevent framing, referrers and content sniffing.
 *
 * @param policy directives of the content security policy; the policy forbids everything else
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

/** The headers of an asset. Browsers cache it for a year, since changed content gets a new name. */
export const assetHeaders = (contentType: string): Record<string, string> => ({
  "Content-Type": contentType,
  "Cache-Control": "public, max-age=31536000, immutable",
  "X-Content-Type-Options": "nosniff",
});

/** The headers of a text whose address does not change with its content. */
export const textHeaders = (contentType: string): Record<string, string> => ({
  "Content-Type": contentType,
  "Cache-Control": "no-cache",
  "X-Content-Type-Options": "nosniff",
});
