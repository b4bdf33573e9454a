import { describe, expect, test } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { newStorageKey } from "../../../shared/domain/documents/removals.ts";
import { crbKey, posCredentialsKey } from "../../../shared/store/keys/crbs.ts";
import {
  credentialKey,
  credentialUseKey,
  posChecksKey,
  rateLimitKey,
  tokenCountKey,
} from "../../../shared/store/keys/credentials.ts";
import { eventsPartition } from "../../../shared/store/keys/events.ts";
import { exportLinksKey } from "../../../shared/store/keys/exports.ts";
import {
  invitationMailsKey,
  invitationsKey,
  invitationTokenKey,
  invitedAddressKey,
  linkRequestsKey,
} from "../../../shared/store/keys/invitations.ts";
import type { Key } from "../../../shared/store/keys/key.ts";
import { recordKey, recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { Assembled, Template } from "./assembled.ts";
import { functionOf } from "./describeFunctions.ts";
import { resolved } from "./resolved.ts";

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
}

const list = <T>(value: T | T[]): T[] => [value].flat() as T[];
const id = "0b54a7c2-3c8e-4d6f-9a01-2b7e5f1c8d90";
const writes = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"];

/** The permissions of each function. */
export function describePolicies(assembled: () => Assembled): void {
  /** The statements of a role, from its own policies and attached ones. */
  const statementsOf = (template: Template, roleId: string): Statement[] => [
    ...(template.all("IAM::Role")[roleId]?.Properties.Policies ?? []).flatMap(
      ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
    ),
    ...template
      .properties("IAM::Policy")
      .filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref === roleId))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
  ];
  const policyOf = (handler: string, stage: "sandbox" | "prod" = "sandbox"): Statement[] => {
    const [roleId] = functionOf(assembled(), stage, handler).Role["Fn::GetAtt"];
    const template = Object.values(assembled().templates[stage]).find(({ json }) => json.Resources[roleId]);
    return statementsOf(template ?? expect.fail(), roleId);
  };
  const actionsOf = (handler: string): string[] => policyOf(handler).flatMap(({ Action }) => list(Action));
  const partitionsOf = ({ Condition }: Statement): string[] =>
    list(Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []);
  const allows = (handler: string, action: string, { pk }: Pick<Key, "pk">): boolean =>
    policyOf(handler).some(
      (statement) =>
        list(statement.Action).includes(`dynamodb:${action}`) &&
        partitionsOf(statement).some((like) => matches(like, pk)),
    );
  /** Whether a handler may send messages to a queue, by the id of its construct. */
  const sendsTo = (handler: string, queue: string): boolean =>
    policyOf(handler).some(
      ({ Action, Resource }) => list(Action).includes("sqs:SendMessage") && JSON.stringify(Resource).includes(queue),
    );
  const handlers = [
    ...operationRegistry.map(({ handler }) => handler),
    "replication/worker",
    "replication/planner",
    "restorations/worker",
    "invitations/feedback",
    "invitations/sender",
    "invitations/sweeper",
    "documents/sweeper",
    "exports/worker",
    "exports/sweeper",
    "linkedLicenses/comparer",
    "webhooks/deliverer",
    "webhooks/sweeper",
  ];
  /** The operations of invited users, except those with a method. */
  const ofInvitedUsers = (except?: "GET") =>
    operationRegistry
      .filter(({ routes }) => routes.some(({ caller, method }) => caller === "invitedUser" && method !== except))
      .map(({ handler }) => handler)
      .sort();
  const readingLicenses = [
    "crbs/createCrb",
    "linkedLicenses/comparer",
    "linkedLicenses/linkCrbLicense",
    "onboarding/linkOnboardingLicenses",
    "serviceProviders/searchLicenses",
  ];
  const those = (predicate: (handler: string) => boolean) => handlers.filter(predicate).sort();

  describe("the policies of functions", () => {
    test("name their actions and their resources", () => {
      for (const [stage, stacks] of Object.entries(assembled().templates)) {
        for (const template of Object.values(stacks)) {
          for (const roleId of Object.keys(template.all("IAM::Role"))) {
            for (const { Action, Resource } of statementsOf(template, roleId)) {
              for (const action of list(Action)) expect(action, `${stage} ${roleId}`).not.toContain("*");
              expect(list(Resource), `${stage} ${roleId}`).not.toContain("*");
            }
          }
        }
      }
    });

    test("allow sending mail only as the configured sender, also in SES's sandbox and with a configuration set", () => {
      const [sending, ...others] = policyOf("invitations/sender").filter(({ Action }) => Action === "ses:SendEmail");
      expect(others).toEqual([]);
      // In its sandbox, SES also checks the identities of recipients, of the domain and its parents, and of the default set.
      expect(JSON.stringify(sending?.Resource)).toMatch(/:configuration-set\/\*.*:identity\/\*/);
      expect(sending?.Condition).toEqual({ StringEquals: { "ses:FromAddress": "no-reply@example.com" } });
    });

    test("limit every access to the table to partitions", () => {
      for (const handler of handlers) {
        for (const statement of policyOf(handler)) {
          if (!list(statement.Action).some((action) => action.startsWith("dynamodb:"))) continue;
          expect(Object.keys(statement.Condition ?? {}), handler).toEqual(["ForAllValues:StringLike"]);
          expect(partitionsOf(statement).length, handler).toBeGreaterThan(0);
          for (const partition of partitionsOf(statement)) expect(partition, handler).toMatch(/^[A-Z][A-Z_]+(#|$)/);
        }
      }
    });

    test("allow an action on all its partitions in one statement, so that one call may access them all", () => {
      for (const handler of handlers) {
        const pairs = policyOf(handler)
          .filter((statement) => partitionsOf(statement).length > 0)
          .flatMap(({ Action, Resource }) => list(Action).map((action) => `${action} ${JSON.stringify(Resource)}`));
        expect(new Set(pairs).size, handler).toBe(pairs.length);
      }
    });

    test("use at most nine tenths of the 10,240 characters that IAM allows for the policies of a role", () => {
      // An ARN of a stage, such as that of a queue, has at most as many characters.
      const arn = "x".repeat(120);
      const lengths = Object.entries(assembled().templates).flatMap(([stage, stacks]) =>
        Object.values(stacks).flatMap((template) =>
          Object.keys(template.all("IAM::Role")).map((roleId) => {
            const statements = JSON.stringify(resolved(statementsOf(template, roleId)), (_, value) =>
              value && Object.keys(value).some((key) => /^(Ref|Fn::)/.test(key)) ? arn : value,
            );
            return { role: `${stage} ${roleId}`, characters: statements.length };
          }),
        ),
      );
      const [largest = expect.fail()] = lengths.sort((a, b) => b.characters - a.characters);
      expect(largest.characters, largest.role).toBeGreaterThan(5_000);
      expect(largest.characters, largest.role).toBeLessThanOrEqual(0.9 * 10_240);
    });

    test("let read-only functions write only credential use, recipients of links, rate-limit counts and positions of events, each in its own partitions", () => {
      const anyId = "????????-????-????-????-????????????";
      for (const { handler, routes, rateLimit, permissionSets } of operationRegistry) {
        if (routes.some(({ method }) => method !== "GET")) continue;
        const written = policyOf(handler).flatMap((statement) =>
          list(statement.Action)
            .filter((action) => [...writes, "dynamodb:BatchWriteItem"].includes(action))
            .flatMap((action) => partitionsOf(statement).map((partition) => `${action} ${partition}`)),
        );
        const hasCredential = routes.some(({ caller }) => caller === "serviceProvider" || caller === "crb");
        const expected = [
          ...(hasCredential ? [`dynamodb:UpdateItem ${credentialUseKey(anyId).pk}`] : []),
          ...(rateLimit ? [`dynamodb:UpdateItem ${rateLimitKey(anyId, "", "").pk}`] : []),
          ...(permissionSets.includes("exports:sign") ? [`dynamodb:PutItem ${exportLinksKey(anyId, "").pk}`] : []),
          ...(permissionSets.includes("events:read")
            ? writes.map((action) => `${action} ${eventsPartition(anyId, "*")}`)
            : []),
        ];
        expect(written.sort(), handler).toEqual(expected.sort());
      }
    });

    test.each([
      ["POS credentials are read", "GetItem", posCredentialsKey(id), ["replication/worker"]],
      [
        "POS credentials are stored",
        "PutItem",
        posCredentialsKey(id),
        ["crbs/createCrb", "onboarding/connectOnboardingPos"],
      ],
      [
        "checks of POS credentials are counted",
        "UpdateItem",
        posChecksKey(id, ""),
        ["crbs/createCrb", "onboarding/connectOnboardingPos"],
      ],
      ["POS credentials are erased", "DeleteItem", posCredentialsKey(id), ["onboarding/withdrawConsent"]],
      [
        "customers are read by id",
        "GetItem",
        recordKey(recordList(id, "customer"), id),
        ["customers/getCustomer", "restorations/worker"],
      ],
      [
        "records are written",
        "PutItem",
        recordKey(recordList(id, "sale"), id),
        ["replication/worker", "restorations/worker"],
      ],
      ["credentials are made or ended", "PutItem", credentialKey(id), ["crbs/createCrbAccess"]],
      [
        "credentials are changed",
        "UpdateItem",
        credentialKey(id),
        ["crbs/createCrbAccess", "credentials/revokeCredential"],
      ],
      ["credentials are removed", "DeleteItem", credentialKey(id), []],
      ["tokens are made", "PutItem", tokenCountKey(id), ["authentication/exchangeToken"]],
      ["tokens are counted", "UpdateItem", tokenCountKey(id), ["authentication/exchangeToken"]],
      [
        "resources that outlive their credential are made, or links issued, while it is active",
        "ConditionCheckItem",
        credentialKey(id),
        [
          "crbs/createCrb",
          "crbs/createCrbAccess",
          "exports/createExport",
          "exports/getExport",
          "webhooks/createWebhookEndpoint",
          "webhooks/rotateWebhookSecret",
          "webhooks/updateWebhookEndpoint",
        ],
      ],
      ["invitations are read", "GetItem", invitationsKey(id), ["invitations/sender", ...ofInvitedUsers()]],
      [
        "tokens of invitations are made, or end when another one is used",
        "PutItem",
        invitationTokenKey(id),
        ["invitations/sender", ...ofInvitedUsers("GET")],
      ],
      ["invited users are looked up by address", "Query", invitedAddressKey("x", id), ["invitations/sender"]],
      ["requests for links are counted", "UpdateItem", linkRequestsKey("x", ""), ["invitations/sender"]],
      ["invitation mails are counted", "UpdateItem", invitationMailsKey(id, ""), ["crbs/createCrb"]],
    ])("ensure that %s only by the functions that need it", (_, action, key, expected) => {
      expect(those((handler) => allows(handler, action, key))).toEqual(expected);
    });

    test("let the public function that sends links read one secret and send messages to one queue", () => {
      const own = policyOf("onboarding/sendOnboardingLink").filter(({ Resource }) => !list(Resource).includes("*"));
      expect(
        own
          .flatMap(({ Action }) => list(Action))
          .filter((action) => !action.startsWith("logs:"))
          .sort(),
      ).toEqual(["secretsmanager:GetSecretValue", "sqs:SendMessage"]);
    });

    test.each([
      [
        "ServiceKey",
        [
          "crbs/createCrb",
          "customers/searchCustomers",
          "exports/createExport",
          "replication/worker",
          "webhooks/createWebhookEndpoint",
        ],
      ],
      ["AddressKey", ["invitations/sender", "onboarding/sendOnboardingLink"]],
    ])("allow only the functions that need it to read the secret %s", (secret, expected) => {
      const reads = ({ Action, Resource }: Statement) =>
        list(Action).includes("secretsmanager:GetSecretValue") && JSON.stringify(Resource).includes(secret);
      expect(those((handler) => policyOf(handler).some(reads))).toEqual(expected);
    });

    test("let getCrb read the CRB's record and nothing that belongs to the CRB", () => {
      expect(allows("crbs/getCrb", "GetItem", crbKey(id))).toBe(true);
      for (const key of [recordKey(recordList(id, "customer"), id), posCredentialsKey(id)]) {
        for (const action of ["GetItem", "BatchGetItem", "Query"])
          expect(allows("crbs/getCrb", action, key)).toBe(false);
      }
    });

    test.each([
      [
        "kms:Encrypt",
        [
          "crbs/createCrb",
          "onboarding/connectOnboardingPos",
          "webhooks/createWebhookEndpoint",
          "webhooks/rotateWebhookSecret",
        ],
      ],
      ["kms:Decrypt", ["replication/worker", "webhooks/deliverer", "webhooks/testWebhookEndpoint"]],
      ["ses:SendEmail", ["invitations/sender"]],
      ["sts:AssumeRole", ["documents/getCrbDocumentDownload", "exports/getExport", "onboarding/createDocumentUpload"]],
      [
        "secretsmanager:GetSecretValue",
        [
          "crbs/createCrb",
          "customers/searchCustomers",
          "exports/createExport",
          "invitations/sender",
          "onboarding/sendOnboardingLink",
          "replication/worker",
          "webhooks/createWebhookEndpoint",
        ],
      ],
      [
        "s3:PutObject",
        [
          "crbs/createCrbAccess",
          "credentials/revokeCredential",
          "exports/sweeper",
          "exports/worker",
          "onboarding/addRequirementDocument",
          "onboarding/completeDocumentUpload",
          "onboarding/withdrawConsent",
          "replication/worker",
          "webhooks/deleteWebhookEndpoint",
          "webhooks/rotateWebhookSecret",
        ],
      ],
      [
        "s3:GetObject",
        [...readingLicenses, "inventory/listLocationInventory", "onboarding/completeDocumentUpload"].sort(),
      ],
      // With these actions, a document of an ended association could become readable again.
      ["s3:PutObjectTagging", []],
      ["s3:DeleteObjectTagging", []],
      [
        "s3:DeleteObject",
        [
          "credentials/revokeCredential",
          "documents/sweeper",
          "exports/deleteExport",
          "exports/sweeper",
          "exports/worker",
          "onboarding/deleteOnboardingDocument",
          "onboarding/deleteRequirementDocument",
        ],
      ],
    ])("allow %s only for the listed functions", (action, expected) => {
      expect(those((handler) => actionsOf(handler).includes(action))).toEqual(expected);
    });

    test.each([
      [
        "ReplicationQueue",
        [
          "crbs/createCrb",
          "onboarding/connectOnboardingPos",
          "replication/planner",
          "replication/worker",
          "sandbox/controlSandbox",
        ],
      ],
      [
        "InvitationsQueue",
        [
          "crbs/createCrb",
          "invitations/sweeper",
          "onboarding/giveConsent",
          "onboarding/sendOnboardingLink",
          "onboarding/updateRequirementDocumentStatus",
          "onboarding/withdrawConsent",
        ],
      ],
      ["ExportsQueue", ["exports/createExport", "exports/deleteExport", "exports/sweeper", "exports/worker"]],
    ])("allow only the listed functions to send to the %s", (queue, expected) => {
      expect(those((handler) => sendsTo(handler, queue))).toEqual(expected);
    });

    test("allow requests for deliveries only where events get positions or a webhook endpoint changes", () => {
      const places = those((handler) => allows(handler, "PutItem", { pk: eventsPartition(id, 3) }));
      const asks = those((handler) => sendsTo(handler, "WebhooksQueue"));
      expect(asks).toEqual([...places, "webhooks/updateWebhookEndpoint"].sort());
      expect(places).toContain("webhooks/sweeper");
    });

    test("allow encrypting and decrypting webhook secrets only for a named endpoint", () => {
      const contexts = (handler: string, action: string) =>
        policyOf(handler)
          .filter(({ Action }) => list(Action).includes(action))
          .map(({ Condition }) => Condition);
      const ofOneEndpoint = [{ Null: { "kms:EncryptionContext:endpoint_id": "false" } }];
      for (const handler of ["webhooks/deliverer", "webhooks/testWebhookEndpoint"])
        expect(contexts(handler, "kms:Decrypt"), handler).toEqual(ofOneEndpoint);
      for (const handler of ["webhooks/createWebhookEndpoint", "webhooks/rotateWebhookSecret"])
        expect(contexts(handler, "kms:Encrypt"), handler).toEqual(ofOneEndpoint);
    });

    test("have no condition that is met by leaving out the value that it checks", () => {
      for (const [stage, stacks] of Object.entries(assembled().templates)) {
        for (const template of Object.values(stacks)) {
          for (const roleId of Object.keys(template.all("IAM::Role"))) {
            for (const { Condition = {} } of statementsOf(template, roleId)) {
              for (const operator of Object.keys(Condition))
                expect(operator, `${stage} ${roleId}`).not.toMatch(/IfExists$/);
            }
          }
        }
      }
    });

    test.each([
      ["ends pairs of credentials", "crbs/createCrbAccess", "revocation"],
      ["withdraws consent", "onboarding/withdrawConsent", "withdrawal"],
      ["deletes webhook endpoints", "webhooks/deleteWebhookEndpoint", "deletion"],
      ["makes new webhook secrets", "webhooks/rotateWebhookSecret", "rotation"],
    ])("let the function that %s write its journal entries and no others", (_, handler, kind) => {
      const [noting, ...others] = policyOf(handler).filter(({ Action }) =>
        list(Action).some((action) => action.startsWith("s3:")),
      );
      expect([others, noting?.Action]).toEqual([[], "s3:PutObject"]);
      expect(JSON.stringify(noting?.Resource)).toMatch(new RegExp(`"/journal/${kind}/\\*"`));
    });

    test("let the function that revokes credentials write to the journal, end uploads and remove exports, and store no document", () => {
      const storing = policyOf("credentials/revokeCredential").filter(({ Action }) =>
        list(Action).some((action) => action.startsWith("s3:")),
      );
      expect(storing.flatMap(({ Action }) => list(Action))).toEqual(["s3:DeleteObject", "s3:PutObject"]);
      expect(JSON.stringify(storing[0]?.Resource)).toMatch(/"\/exports\/\?[^"]*"/);
      const resources = JSON.stringify(storing.map(({ Resource }) => Resource));
      expect(resources).toMatch(/"\/journal\/revocation\/\*".*"\/uploads\/\?[^"]*"/);
    });

    test.each(readingLicenses)("let %s read licenses, and no document", (handler) => {
      const [reading, ...others] = policyOf(handler).filter(({ Action }) =>
        list(Action).some((action) => action.startsWith("s3:")),
      );
      expect(others).toEqual([]);
      expect(JSON.stringify(reading?.Resource)).toMatch(/"\/licenses\/\*"/);
    });

    test("let only the completion of uploads list the bucket, for a single key at a time", () => {
      expect(those((handler) => actionsOf(handler).includes("s3:ListBucket"))).toEqual([
        "onboarding/completeDocumentUpload",
      ]);
      const asking = policyOf("onboarding/completeDocumentUpload").find(({ Action }) => Action === "s3:ListBucket");
      const { StringLike, ...others } = asking?.Condition ?? {};
      expect(others).toEqual({});
      const patterns = list(StringLike?.["s3:prefix"] ?? []);
      const key = `uploads/${newStorageKey(id)}`;
      const isAllowed = (prefix: string) => patterns.some((pattern) => matches(pattern, prefix));
      expect(isAllowed(key)).toBe(true);
      for (const prefix of ["", "uploads/", `uploads/${id}/`, key.slice(0, -1), newStorageKey(id)]) {
        expect(isAllowed(prefix), prefix).toBe(false);
      }
    });

    test("allow encrypting and decrypting POS credentials only for a named CRB", () => {
      for (const [handler, action] of [
        ["crbs/createCrb", "kms:Encrypt"],
        ["replication/worker", "kms:Decrypt"],
      ] as const) {
        const found = policyOf(handler).find(({ Action }) => Action === action);
        expect(found?.Condition).toEqual({ Null: { "kms:EncryptionContext:crb_id": "false" } });
      }
    });

    test.each([
      [
        "documents/getCrbDocumentDownload",
        "DocumentReader",
        "DOCUMENT_READER_ROLE",
        ["s3:GetObject", "kms:Decrypt"],
        /"\/\?{8}-/,
      ],
      [
        "exports/getExport",
        "ExportReader",
        "EXPORT_READER_ROLE",
        ["s3:GetObject", "kms:Decrypt"],
        /"\/exports\/\?{8}-/,
      ],
      [
        "onboarding/createDocumentUpload",
        "UploadWriter",
        "UPLOAD_WRITER_ROLE",
        ["s3:PutObject", "kms:GenerateDataKey"],
        /"\/uploads\/\?{8}-/,
      ],
    ])("let links of %s be signed only by a role for that purpose", (handler, role, variable, actions, keys) => {
      const template = assembled().templates.prod[`functions/${handler.split("/")[0]}`] ?? expect.fail();
      const [roleId, signs] =
        Object.entries(template.all("IAM::Role")).find(([each]) => each.startsWith(role)) ?? expect.fail();
      expect(signs.Properties.MaxSessionDuration).toBe(3600);
      const [objects, key] = statementsOf(template, roleId);
      expect([objects?.Action, key?.Action]).toEqual(actions);
      expect(statementsOf(template, roleId)).toHaveLength(2);
      expect(JSON.stringify(objects?.Resource)).toMatch(keys);
      const signer = functionOf(assembled(), "prod", handler);
      expect(signer.Environment.Variables[variable]).toEqual({ "Fn::GetAtt": [roleId, "Arn"] });
      expect(signs.Properties.AssumeRolePolicyDocument.Statement[0].Principal.AWS).toEqual(signer.Role);
    });
  });
}

/** IAM's StringLike: `?` matches any character, `*` any text. */
function matches(like: string, text: string): boolean {
  const pattern = like
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("?", ".")
    .replaceAll("*", ".*");
  return new RegExp(`^${pattern}$`).test(text);
}
