import type { Draft } from "./draft.ts";

/** The page of the docs about a new connector: what it asks, why nothing is missed, and what is not known for sure. */
export const pageText = ({ posType, name, credentials, locationRequired }: Draft): string => `# ${posType}

\`shared/pos/${name}\`, for the POS type \`${posType}\`. Proof: **none**
([what that means](README.md#proof)). Nothing is known of the API yet.

TODO: all of this is made up. Replace it by facts, and mark each **D**, **C** or **A** ([the page of all](README.md)).

${credentials.map(({ name, header }) => `The credential \`${name}\` goes into the header \`${header}\` (A).`).join("\n")}
${
  locationRequired
    ? "The credentials reach several stores, so the location is required (A)."
    : "The credentials reach one store, so no location is needed (A)."
}

| Kind | Request | First | Later |
|---|---|---|---|
| customer | \`/v1/customers?store_id=…\` | all | changed; all once a week |

## Why nothing is missed

- **Lists** come in the order of their ids (A), 100 rows at a time (A), and end with an empty page (A).
- **Changes** are asked for by \`updated_since\` (A), 15 minutes before the last pull.

## Unsure

| Fact | | What is done |
|---|---|---|
| errors and limits | A | by the status; one a second for each run ([pace](README.md)) |
`;
