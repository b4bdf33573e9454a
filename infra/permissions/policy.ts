import { Stack } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { deliveredFolder, digestsFolder } from "../../shared/domain/accessLog/accessLines.ts";
import { changesFolder } from "../../shared/domain/copies/changeFolders.ts";
import {
  type OtherAccess,
  type PermissionSet,
  type Permissions,
  permissionSets,
  uploadedKey,
} from "./permissionSets.ts";

/** The resources that functions use. */
export interface ServiceResources {
  table: ITable;
  documents: Bucket;
  serviceKey: ISecret;
  addressKey: ISecret;
  /** The service's credentials at POS companies; only with real POS systems. */
  partnerKeys: ISecret | undefined;
  /** Encrypts POS credentials and the secrets of webhook endpoints. */
  sealingKey: IKey;
  replicationQueue: Queue;
  retryQueue: Queue;
  restorationQueue: Queue;
  invitationQueue: Queue;
  mailEventQueue: Queue;
  webhookQueue: Queue;
  exportQueue: Queue;
  statementQueue: Queue;
  /** The bucket of the access log, which also keeps the digests of statements. */
  accessLog: Bucket;
  /** The sender of mail, as in a `From` header. */
  mailFrom: string;
  /** The configuration set through which SES reports whether a mail was delivered. */
  mailConfigurationSet: string;
  /** The bucket in the recovery region that gets the table's changes, and the ARN of its key there. */
  changes?: { bucket: string; region: string; key: string };
}

/**
 * Returns the statements of these permission sets, the environment variables that name their resources, and, for
 * cdk-nag, the reasons for statements that it finds too wide.
 */
export function accessOf(
  names: readonly PermissionSet[],
  resources: ServiceResources,
): { statements: PolicyStatement[]; environment: Record<string, string>; reasons: Record<string, string> } {
  const own: Permissions[] = names.map((name) => permissionSets[name]);
  const format: Permissions = permissionSets["storedFormat:check"];
  const permissions = own.some(({ table }) => table) ? [...own, format] : own;
  const others = new Set(permissions.flatMap(({ other = [] }) => other));
  const known = otherAccess(resources);
  return {
    statements: [
      ...tableStatements(permissions, resources.table),
      ...objectStatements(permissions, resources.documents),
      ...[...others].flatMap((other) => known[other].statements ?? []),
    ],
    environment: {
      TABLE_NAME: resources.table.tableName,
      ...Object.assign({}, ...[...others].map((other) => known[other].environment)),
    },
    reasons: {
      ...Object.fromEntries(objectsOf(permissions).map(({ keys }) => objectReason(resources.documents, keys))),
      ...Object.assign({}, ...[...others].map((other) => known[other].reasons)),
    },
  };
}

/**
 * One statement for each set of partitions with the same actions. All partitions of an action are in one statement: IAM
 * allows a batch of keys only if one statement allows them all.
 */
function tableStatements(permissions: readonly Permissions[], table: ITable): PolicyStatement[] {
  const partitions = new Map<string, Set<string>>();
  for (const { action, index, partitions: more } of permissions.flatMap(({ table: accesses = [] }) => accesses)) {
    const resource = index ? `${table.tableArn}/index/${index}` : table.tableArn;
    const name = `${resource} ${action}`;
    partitions.set(name, (partitions.get(name) ?? new Set()).union(new Set(more)));
  }
  const alike = Map.groupBy(partitions, ([name, keys]) => `${name.split(" ")[0]} ${[...keys].sort().join()}`);
  return [...alike.values()].map((group) => {
    const [[first = "", keys = new Set<string>()] = []] = group;
    return new PolicyStatement({
      actions: group.map(([name]) => `dynamodb:${name.split(" ")[1]}`).sort(),
      resources: [first.split(" ")[0] ?? ""],
      conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...keys].sort() } },
    });
  });
}

function objectStatements(permissions: readonly Permissions[], bucket: Bucket): PolicyStatement[] {
  return objectsOf(permissions).map(
    ({ action, keys }) => new PolicyStatement({ actions: [`s3:${action}`], resources: [bucket.arnForObjects(keys)] }),
  );
}

const objectsOf = (permissions: readonly Permissions[]) => permissions.flatMap(({ objects = [] }) => objects);

interface Access {
  statements?: PolicyStatement[];
  environment?: Record<string, string>;
  /** Reasons for cdk-nag. */
  reasons?: Record<string, string>;
}

function otherAccess(resources: ServiceResources): Record<OtherAccess, Access> {
  const { documents, serviceKey, addressKey, partnerKeys, sealingKey, invitationQueue } = resources;
  const { table, changes, replicationQueue, retryQueue, restorationQueue } = resources;
  const { mailFrom, mailEventQueue, mailConfigurationSet, webhookQueue, exportQueue } = resources;
  const { statementQueue, accessLog } = resources;
  const allow = (action: string | string[], resource: string | string[], conditions = {}) => [
    new PolicyStatement({ actions: [action].flat(), resources: [resource].flat(), conditions }),
  ];
  // The key may be used only in the encryption context of a CRB or of a webhook endpoint.
  const ofOneCrb = { Null: { "kms:EncryptionContext:crb_id": "false" } };
  const ofOneEndpoint = { Null: { "kms:EncryptionContext:endpoint_id": "false" } };
  const sealing = { KMS_KEY_ID: sealingKey.keyArn };
  const messages = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
  const address = /<(.*)>/.exec(mailFrom)?.[1] ?? mailFrom;
  const stack = Stack.of(documents);
  const anyOf = (resource: string) => stack.formatArn({ service: "ses", resource, resourceName: "*" });
  return {
    documents: { environment: { DOCUMENTS_BUCKET: documents.bucketName } },
    arrivedUploads: {
      // Checks whether an object exists, see `Bucket.read`. The permission cannot be used to list other objects, since
      // listing needs a shorter prefix or no prefix.
      statements: allow("s3:ListBucket", documents.bucketArn, { StringLike: { "s3:prefix": uploadedKey } }),
    },
    serviceKey: {
      statements: allow("secretsmanager:GetSecretValue", serviceKey.secretArn),
      environment: { SERVICE_KEY_SECRET: serviceKey.secretArn },
    },
    addressKey: {
      statements: allow("secretsmanager:GetSecretValue", addressKey.secretArn),
      environment: { ADDRESS_KEY_SECRET: addressKey.secretArn },
    },
    partnerKeys: partnerKeys
      ? {
          statements: allow("secretsmanager:GetSecretValue", partnerKeys.secretArn),
          environment: { POS_PARTNER_KEYS_SECRET: partnerKeys.secretArn },
        }
      : {},
    sealing: { statements: allow("kms:Encrypt", sealingKey.keyArn, ofOneCrb), environment: sealing },
    unsealing: { statements: allow("kms:Decrypt", sealingKey.keyArn, ofOneCrb), environment: sealing },
    webhookSealing: { statements: allow("kms:Encrypt", sealingKey.keyArn, ofOneEndpoint), environment: sealing },
    replicationQueue: {
      statements: allow("sqs:SendMessage", replicationQueue.queueArn),
      environment: { REPLICATION_QUEUE_URL: replicationQueue.queueUrl },
    },
    retryQueue: {
      statements: allow("sqs:SendMessage", retryQueue.queueArn),
      environment: { RETRY_QUEUE_URL: retryQueue.queueUrl },
    },
    restorationQueue: {
      statements: allow("sqs:SendMessage", restorationQueue.queueArn),
      environment: { RESTORATION_QUEUE_URL: restorationQueue.queueUrl },
    },
    restorationMessages: { statements: allow(messages, restorationQueue.queueArn) },
    replicationMessages: { statements: allow(messages, [replicationQueue.queueArn, retryQueue.queueArn]) },
    invitationQueue: {
      statements: allow("sqs:SendMessage", invitationQueue.queueArn),
      environment: { INVITATION_QUEUE_URL: invitationQueue.queueUrl },
    },
    webhookUnsealing: { statements: allow("kms:Decrypt", sealingKey.keyArn, ofOneEndpoint), environment: sealing },
    webhookQueue: {
      statements: allow("sqs:SendMessage", webhookQueue.queueArn),
      environment: { WEBHOOK_QUEUE_URL: webhookQueue.queueUrl },
    },
    exportQueue: {
      statements: allow("sqs:SendMessage", exportQueue.queueArn),
      environment: { EXPORT_QUEUE_URL: exportQueue.queueUrl },
    },
    statementQueue: {
      statements: allow("sqs:SendMessage", statementQueue.queueArn),
      environment: { STATEMENT_QUEUE_URL: statementQueue.queueUrl },
    },
    statementMessages: { statements: allow(messages, statementQueue.queueArn) },
    accessLog: {
      statements: [
        ...allow("s3:ListBucket", accessLog.bucketArn, { StringLike: { "s3:prefix": `${deliveredFolder}*` } }),
        ...allow("s3:GetObject", accessLog.arnForObjects(`${deliveredFolder}*`)),
        ...allow("s3:PutObject", accessLog.arnForObjects(`${digestsFolder}*`)),
      ],
      environment: { ACCESS_LOG_BUCKET: accessLog.bucketName },
      reasons: Object.fromEntries(
        [deliveredFolder, digestsFolder].map((folder) => objectReason(accessLog, `${folder}*`)),
      ),
    },
    exportMessages: { statements: allow(messages, exportQueue.queueArn) },
    webhookMessages: { statements: allow(messages, webhookQueue.queueArn) },
    invitationMessages: { statements: allow(messages, invitationQueue.queueArn) },
    mailEvents: { statements: allow(messages, mailEventQueue.queueArn) },
    // DynamoDB writes the export with the function's permissions. They do not include reading an export. The key's
    // policy allows its use through S3.
    changeExports: changes
      ? {
          statements: [
            ...allow("dynamodb:ExportTableToPointInTime", table.tableArn),
            ...allow(
              ["s3:AbortMultipartUpload", "s3:PutObject", "s3:PutObjectAcl"],
              changesArn(stack, changes.bucket, `${changesFolder}*`),
            ),
            ...allow("s3:ListBucket", changesArn(stack, changes.bucket), {
              StringLike: { "s3:prefix": `${changesFolder}*` },
            }),
          ],
          environment: {
            TABLE_ARN: table.tableArn,
            CHANGES_BUCKET: changes.bucket,
            CHANGES_REGION: changes.region,
            CHANGES_KEY: changes.key,
          },
          reasons: {
            [`AwsSolutions-IAM5[Resource::${flatten(stack.resolve(changesArn(stack, changes.bucket, `${changesFolder}*`)))}]`]:
              "DynamoDB chooses the keys of exported objects.",
          },
        }
      : {},
    mail: {
      // SES checks the permission on every identity involved, and on the configuration set. The sender's identity may
      // be its address, its domain or a parent domain; in the sandbox, recipients have identities too. Only the address
      // limits the permission.
      statements: allow("ses:SendEmail", [anyOf("identity"), anyOf("configuration-set")], {
        StringEquals: { "ses:FromAddress": address },
      }),
      environment: { MAIL_CONFIGURATION_SET: mailConfigurationSet },
      reasons: Object.fromEntries(
        ["identity", "configuration-set"].map((kind) => [
          `AwsSolutions-IAM5[Resource::${flatten(stack.resolve(anyOf(kind)))}]`,
          "SES requires more resources than the sender's identity; the condition names the one sender.",
        ]),
      ),
    },
  };
}

const changesArn = (stack: Stack, bucket: string, keys?: string): string =>
  `arn:${stack.partition}:s3:::${bucket}${keys ? `/${keys}` : ""}`;

/** The reason for a permission on objects, for a function whose stack is not the bucket's stack. */
export function objectReason(bucket: Bucket, keys: string): [id: string, reason: string] {
  const stack = Stack.of(bucket);
  const exportName = stack.resolve(stack.exportValue(bucket.bucketArn))["Fn::ImportValue"];
  return [`AwsSolutions-IAM5[Resource::${exportName}/${keys}]`, "The keys of objects are not known in advance."];
}

/** A value as cdk-nag writes it in a finding's id: references in angle brackets. */
function flatten(resolved: string | { "Fn::Join": [string, ({ Ref: string } | string)[]] }): string {
  if (typeof resolved === "string") return resolved;
  const [separator, parts] = resolved["Fn::Join"];
  return parts.map((part) => (typeof part === "string" ? part : `<${part.Ref}>`)).join(separator);
}
