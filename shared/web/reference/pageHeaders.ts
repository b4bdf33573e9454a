import { pageHeaders } from "../pages/headers.ts";

/**
 * The headers of the page: it loads from its own origin, runs its own scripts, calls nobody else and stands in no frame.
 *
 * @param nonce what the page's scripts are known by, and the styles that they add
 */
export const referenceHeaders = (nonce: string): Record<string, string> =>
  pageHeaders([
    `script-src 'nonce-${nonce}'`,
    `style-src-elem 'self' 'nonce-${nonce}'`,
    // Scalar positions parts of the page by style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
  ]);
