import { posSystems } from "./posSystems.ts";

const rules = `
Banks and other service providers must know the cannabis-related businesses (CRBs) that they serve: who these businesses
are, what they sell, and to whom. That knowledge is spread over some forty different point-of-sale systems (POS). This
service replicates it and serves it as one JSON API. Records, lists, filters and errors are the same for every POS.

**HTTP.** Requests and responses are JSON in UTF-8; the token exchange also accepts the forms that OAuth 2 libraries send.
Every path with a \`GET\` also has a \`HEAD\`. Responses are compressed if the client accepts gzip. \`GET /docs\` shows this
description with guides, and you can try calls there.

**Two path families.** A service provider's credential gives access to \`/service-providers/{sp_id}/…\` with its own id, and
there to the CRBs that are associated with the service provider. A CRB's credential gives access to \`/crbs/{crb_id}/…\` with
its own id. The records are the same.

**Lists** return \`metadata\` and \`data\`. \`limit\` is the size of a page, \`offset\` is the number of records to skip, and
\`metadata.total\` is the number of all matching records. The record that changed last comes first. If you page through a list
by \`offset\`, you miss no record that stays unchanged meanwhile. To find the records that changed, read the list again with
\`last_updated_from\` set to the day on which you began. A page above 6 MB is rejected with 422 on \`query.limit\`; the message
says how many records fit.

**Reading again.** Responses that can change carry an \`ETag\`. Send it as \`If-None-Match\`: if nothing has changed, the
response is 304 without a body.

**Values.** Times are ISO 8601 in UTC with milliseconds; fields that end in \`_local\`, and \`local_date\`, are in the
CRB's time zone. Money is in cents. Identifiers are UUIDs and are compared in lower case.

**Errors** are the same record everywhere: \`name\`, \`code\`, \`message\`, \`status\`, and with 422 also \`fields\`, which names every
failing input. 429 and 503 carry \`Retry-After\`. Every response has an \`x-request-id\`, except a 429 that comes from a
rate limit in front of the service.

**Compatibility.** Version 1 only gains things: operations, optional fields, POS types and event types. Your client must
ignore what it does not know. Unknown query parameters and unknown fields in a body are rejected.
`;

/** Joins the lines of each paragraph into one. The rows of a table stay on lines of their own. */
const joinLines = (text: string): string => text.trim().replaceAll(/(?<![\n|])\n(?![\n|])/g, " ");

/** The introduction of the API description, in Markdown. */
export const about = [rules, posSystems].map(joinLines).join("\n\n");
