/** What an operation is granted and no test of the API makes use of, by a pattern of function and grant, each with its reason. */
export const unusedGrants: readonly { pattern: RegExp; reason: string }[] = [
  {
    pattern: /#(SALE_)?EMPTY$/,
    reason: "Bitmaps of empty slots come up once records have changed on a later day (test/shared/table/rankedList).",
  },
  {
    pattern: /^CreateCrb dynamodb:GetItem .*#TEMPLATE$/,
    reason: "Read when a creation names its template, which the sample does not (test/functions/crbs).",
  },
  {
    pattern: /^SearchLicenses dynamodb:BatchGetItem .* LICENSES#(NUMBER|STATE|STATE_TYPE|TYPE|WORD)#/,
    reason: "The tests of the API search without a filter, in the list of all (test/shared/table/licenses.test.ts).",
  },
  {
    pattern: /^UpdateCrbInfo dynamodb:UpdateItem .*#ORGANISATION$/,
    reason:
      "Written when a change touches what an organisation is known by (test/functions/crbs/updateCrbInfo.test.ts).",
  },
  {
    pattern: /^ListLocationInventory dynamodb:BatchGetItem .*#CHUNK$/,
    reason: "Only an earlier day's stock is read from snapshots, of which the demo has none.",
  },
  {
    pattern: /^ListLocationInventory dynamodb:BatchGetItem .*#PRODUCT$/,
    reason: "No test of the API embeds products in a location's records that has any.",
  },
  {
    pattern: /^DeleteRequirementDocument dynamodb:(BatchGetItem|GetItem|PutItem) .*#CRB(#DAYS)?$/,
    reason: "Used when a deletion moves the CRB's status (test/functions/onboarding/reviewAndDelete.test.ts).",
  },
];
