/**
 * The headers of the page: it loads from its own origin, runs its own scripts, calls nobody else and stands in no frame.
 *
 * @param nonce what the page's scripts are known by, and the styles that they add
 */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
    "Content-Security-Policy": [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src-elem 'self' 'nonce-${nonce}'`,
      // Scalar positions parts of the page by style attributes.
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}

/** The headers of what the page loads: kept for a year, since another content has another name. */
export const assetHeaders = (contentType: string): Record<string, string> => ({
  "Content-Type": contentType,
  "Cache-Control": "public, max-age=31536000, immutable",
  "X-Content-Type-Options": "nosniff",
});
