// What the store of documents lets pages of a stage's allowed origins do, the same on one machine and on AWS: use the
// links that they are given.

/** Methods of links: upload and download. */
export const linkMethods = ["PUT", "GET"] as const;

/** Request headers that an upload link binds and a page has to send; in lower case. */
export const linkHeaders = ["content-type", "if-none-match"] as const;

/** How long a browser may keep the answer to a preflight. */
export const preflightSeconds = 7_200;
