// The CORS rules of the document store, the same on one machine and on AWS: pages of a stage's allowed origins may use
// upload and download links.

/** Methods of upload and download links. */
export const linkMethods = ["PUT", "GET"] as const;

/** Headers that an upload link requires in the request; in lower case. */
export const linkHeaders = ["content-type", "if-none-match"] as const;

/** The time for which a browser may cache a preflight response. */
export const preflightSeconds = 7_200;
