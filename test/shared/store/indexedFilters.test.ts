import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { indexedFields } from "../../../shared/store/keys/indexEntries.ts";

/**
 * The indexed fields of the latest release, whose entries all stored records have. The types allow no other name than
 * those in `indexedFields`. Only an operator can add the entries of a new name to records that are stored already.
 */
const released: Record<keyof typeof indexedFields, readonly string[]> = {
  location: [],
  product: [],
  customer: ["phone", "email", "first_name", "last_name", "merged_into_customer_id"],
  inventory: ["present"],
  sale: ["customer_id", "pos_customer_id", "compliance_status"],
};

test.each(recordKinds)("the changelog requires a rebuild of the %s list for each unreleased field", (kind) => {
  const [, unreleased = ""] = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
  const entries = unreleased.split(/^- /m).map((entry) => entry.replaceAll(/\s+/g, " "));
  const command = `lists rebuild all ${kind}`;
  const isAnnounced = (name: string) =>
    entries.some((entry) => entry.includes(`\`${name}\``) && entry.includes(command));
  const withoutRebuild = indexedFields[kind].filter((name) => !released[kind].includes(name) && !isAnnounced(name));
  expect(withoutRebuild, `Name the field and \`npm run operator -- ${command}\` in one entry`).toEqual([]);
});
