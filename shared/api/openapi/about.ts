import { posSystems } from "./posSystems.ts";

const rules = `
Banks and other service providers that serve cannabis-related businesses (CRBs) must know them: who they are, what they
sell, to whom. That knowledge sits in some forty different point-of-sale systems (POS). This service replicates it and
serves it as one JSON API: the same records, lists, filters and errors whatever POS a business uses.

**HTTP.** Requests and answers are JSON in UTF-8; the token exchange takes the forms of OAuth 2 libraries, too. \`HEAD\`
is answered wherever there is a \`GET\`; answers are compressed for who accepts gzip. \`GET /docs\` shows this description
with guides, and lets you try calls.

**Two path families.** A service provider's credential opens \`/service-providers/{sp_id}/…\` with its own id, and there the CRBs
that are associated with it. A CRB's credential opens \`/crbs/{crb_id}/…\` with its own id. The records are the same.

**Lists** answer \`metadata\` and \`data\`. \`limit\` is the size of a page, \`offset\` counts the records to skip;
\`metadata.total\` counts all that match. The newest change comes first, so that a walk by \`offset\`
skips none that stayed unchanged meanwhile. What changed is found again by \`last_updated_from\` with the day on which
the walk began. A page above 6 MB is refused with 422 on \`query.limit\`, which says how many records would fit.

**Reading again.** What can have changed carries an \`ETag\`: send it as \`If-None-Match\`, and an answer that is still the
same comes as 304 without a body.

**Values.** Times are ISO 8601 in UTC with milliseconds; fields that end in \`_local\`, and \`local_date\`, are in the
CRB's time zone. Money is in cents. Identifiers are UUIDs and compared in lower case.

**Errors** are the same record everywhere: \`name\`, \`message\`, \`status\`, and with 422 \`fields\`, which names every
failing input. 429 and 503 carry \`Retry-After\`. Every answer has an \`x-request-id\`,
but for 429 by a limit of requests or token exchanges in front of the service.

**Compatibility.** Within version 1 there are only additions: new operations, new optional fields, new POS types and types
of events. Let your client ignore what it does not know. Unknown query parameters are ignored; unknown fields in a body are
refused.
`;

/** Joins the lines of each paragraph into one. The rows of a table stay on lines of their own. */
const joinLines = (text: string): string => text.trim().replaceAll(/(?<![\n|])\n(?![\n|])/g, " ");

/** The introduction of the API description, in Markdown. */
export const about = [rules, posSystems].map(joinLines).join("\n\n");
