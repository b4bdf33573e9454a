import { pageHeaders } from "../pages/headers.ts";

/**
 * The page's headers. The page loads from its own origin, runs only its own scripts, calls no other origin and cannot
 * be framed.
 *
 * @param nonce the nonce of the page's scripts, and of the styles that they add
 */
export const referenceHeaders = (nonce: string): Record<string, string> =>
  pageHeaders([
    `script-src 'nonce-${nonce}'`,
    `style-src-elem 'self' 'nonce-${nonce}'`,
    // Scalar positions elements with style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
  ]);
