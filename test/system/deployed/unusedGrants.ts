/** Grants that no test of the API uses, each with a reason; patterns match function and grant. */
export const unusedGrants: readonly { pattern: RegExp; reason: string }[] = [
  {
    pattern: /#(SALE_)?SLOTS$/,
    reason: "Empty slots come up once records have changed (test/shared/store/orderedList).",
  },
  {
    pattern: /dynamodb:ConditionCheckItem .*#DAYS$/,
    reason: "Checked where a list begins, which those of the demo have done (test/shared/store/orderedList).",
  },
  {
    pattern: /^CreateCrb dynamodb:GetItem .*#TEMPLATE$/,
    reason: "Read when a creation names its template, which the sample does not (test/functions/crbs).",
  },
  {
    pattern: /^UpdateCrbInfo dynamodb:UpdateItem .*#ORGANISATION$/,
    reason:
      "Written when a change touches what an organization is known by (test/functions/crbs/updateCrbInfo.test.ts).",
  },
  {
    pattern: /^UpdateCrbInfo dynamodb:\w+ .*REPLICATION(_DUE)?#\*$/,
    reason: "Used where the time zone changes, which the sample leaves (test/functions/crbs/updateCrbInfo.test.ts).",
  },
  {
    pattern: /^ListLocationInventory s3:GetObject .*inventory/,
    reason: "Only the stock of an earlier day is read from a file, and the demo has none.",
  },
  {
    pattern: /^ListLocationInventory dynamodb:BatchGetItem .*#PRODUCT$/,
    reason: "No test of the API embeds products in a location's records that has any.",
  },
  {
    pattern: /^ListEvents dynamodb:(PutItem|UpdateItem|DeleteItem) .*#EVENTS#\*$/,
    reason:
      "The writer of an event gives it its position; the reader does so if the writer was killed (test/functions/events).",
  },
  {
    pattern: /^Delete(Requirement|Onboarding)Document dynamodb:(GetItem|PutItem|Query) .*#CRB(#DAYS)?$/,
    reason: "Used when a deletion moves the CRB's status (test/functions/onboarding/reviewAndDelete.test.ts).",
  },
  {
    pattern: /dynamodb:BatchGetItem .*INVITATION_TOKEN#/,
    reason:
      "A token of an invited user is known at routes that are not theirs, too (test/functions/rejectedRequests.test.ts).",
  },
  {
    pattern: /^(List|Create|Get|Update|Delete|Rotate|Replay)Webhook\w+ dynamodb:\w+ .*#EVENTS#\*$/,
    reason:
      "Used where events wait for their places, or for the endpoint (test/functions/webhooks, test/shared/domain/webhooks).",
  },
  {
    pattern:
      /^RevokeCredential (dynamodb:(Get|Put|Update|Delete)Item .*(WEBHOOK|INVITATION|UPLOAD|EXPORT)|s3:(PutObject .*uploads|DeleteObject .*exports)\/)/,
    reason:
      "The credential that the test revokes has made nothing (test/functions/credentials/revokedResources.long.test.ts).",
  },
  {
    pattern: /^UpdateWebhookEndpoint dynamodb:PutItem .*WEBHOOKS_ENABLED$/,
    reason: "Used where an endpoint that was disabled is enabled (test/functions/webhooks).",
  },
  {
    pattern: /^ConnectOnboardingPos dynamodb:UpdateItem .*POS_CHECKS#INVITED#/,
    reason: "Used for a business that a credential created; the operator created that of the demo's invited user.",
  },
  {
    pattern: /^CreateCrb dynamodb:(\w+ .*LICENSES|ConditionCheckItem .*#CRB)$/,
    reason: "Used where a creation names licenses, which the sample does not (test/functions/linkedLicenses).",
  },
  {
    pattern: /dynamodb:\w+ .*LICENSED#\*$/,
    reason:
      "Every change of a CRB maintains the lists by license, and most CRBs of the tests have no linked license (test/functions/linkedLicenses).",
  },
  {
    pattern: /^CreateCrb dynamodb:(BatchGetItem .*(CRB|INVITATIONS)|ConditionCheckItem .*CRB)#[?-]+$/,
    reason: "Used where another CRB of the same organization exists (test/functions/crbs).",
  },
  {
    pattern: /dynamodb:(Get|Put)Item .*INVITATION_TOKEN#/,
    reason:
      "A change ends older links of an invited user, who has only one in these tests (test/shared/auth/invitationTokens.test.ts).",
  },
  {
    pattern: /^ListSales dynamodb:BatchGetItem .*#SALE$/,
    reason: "Sales of a value with few sales are read by their ids (test/functions/sales).",
  },
  {
    pattern: /^GetExport dynamodb:(\w+ .*EXPORT_LINKS#|ConditionCheckItem .*CREDENTIAL#)/,
    reason: "The export of these tests has no files, so it gets no links (test/functions/exports/exports.test.ts).",
  },
  {
    pattern: /^CreateWebhookEndpoint dynamodb:\w+ .*#IDEMPOTENCY$/,
    reason: "Used for a request with an Idempotency-Key, which the sample lacks (test/functions/webhooks).",
  },
  {
    pattern: /dynamodb:(Put|Delete)Item .*#REVIEW$/,
    reason:
      "All changes of documents have one permission set; additions put entries of the review list, reviews and deletions delete them.",
  },
  {
    pattern: /^(\w*Onboarding\w*|GiveConsent|WithdrawConsent) dynamodb:BatchGetItem .*#LICENSES$/,
    reason:
      "The business of the demo's invited user has no linked license (test/functions/onboarding/linkOnboardingLicenses.long.test.ts).",
  },
  {
    pattern: /^(LinkOnboardingLicenses|ControlSandbox) dynamodb:\w+ .*#EVENTS#\*$/,
    reason:
      "Used where a linked license expires soon, and where the sandbox rejects credentials (test/functions/linkedLicenses, test/functions/sandbox).",
  },
  {
    pattern: /^CreateExport dynamodb:(GetItem .*#(EXPORT|CRB|IDEMPOTENCY)|PutItem .*#IDEMPOTENCY)$/,
    reason: "Used for a request with an Idempotency-Key, which the sample lacks (test/functions/exports).",
  },
  {
    pattern: /^DeleteExport (dynamodb:PutItem .*EXPORT_DUE|s3:DeleteObject .*exports\/)/,
    reason: "The export that the test deletes has no files yet (test/shared/domain/exports/endExport.test.ts).",
  },
];
