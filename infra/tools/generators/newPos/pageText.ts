import type { Draft } from "./draft.ts";

/** The page of the docs about a new connector: its requests, why no record is missed, and the uncertain facts. */
export const pageText = ({ posType, name, credentials, locationRequired }: Draft): string => `# ${posType}

\`shared/pos/connectors/${name}\`, for the POS type \`${posType}\`. Proof: **none**
([the levels](README.md#proof)). No fact of the API is known yet.

TODO: every line below is made up. Replace it by facts, and mark each **D**, **C** or **A** ([POS systems](README.md#proof)).

${credentials.map(({ name, header }) => `The header \`${header}\` carries the credential \`${name}\` (A).`).join("\n")}
${
  locationRequired
    ? "The credentials reach several stores, so the location is required (A)."
    : "The credentials reach one store, so no location is needed (A)."
}

| Kind | Request | First pull | Later pulls |
|---|---|---|---|
| inventory | \`/v1/inventory?store_id=…\` | all | all |
| sale | \`/v1/sales?store_id=…\` | all | changes; all once a week |

## Why no record is missed

- **Lists** are in the order of their ids (A), 100 rows a page (A), and end with an empty page (A).
- **Changes** are requested by \`updated_since\` (A), from 15 minutes before the last pull.

## Statuses

| Status | Sale |
|---|---|
| \`completed\`, \`returned\` | a sale, a return (A) |
| \`voided\`, \`canceled\` | undone; \`canceled\` only if the sale was stored before (A) |
| \`open\` | none yet (A) |
| others | rejected as \`unknown_status\` |

Packages that are \`available\` are stock, those that are \`finished\` are gone (A). Other statuses are rejected.

## Unsure

| Fact | | What the connector does |
|---|---|---|
| lists may hold rows of other stores | A | drops rows with another \`store_id\` |
| \`subtotal\` is before or after discounts | A | takes the reading that adds up to \`total\`, and rejects the sale if none does |
| errors and limits | A | goes by the status; one request a second for each run ([pace](README.md)) |
`;
