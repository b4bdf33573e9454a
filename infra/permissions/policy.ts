import { Stack } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import { deliveredFolder, digestsFolder, failedFolder } from "../../shared/domain/accessLog/accessLines.ts";
import { changesFolder } from "../../shared/domain/copies/changeFolders.ts";
import { variableName } from "../stages/outputs.ts";
import { type QueueName, type WorkQueues, workQueues } from "../stages/workQueue.ts";
import {
  type OtherAccess,
  type PermissionSet,
  type Permissions,
  permissionSets,
  type QueueAccess,
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
  queues: WorkQueues;
  /** The bucket of the access log, which also keeps the digests of statements. */
  accessLog: Bucket;
  /** The sender of mail, as in a `From` header. */
  mailFrom: string;
  /** The configuration set through which SES reports whether a mail was delivered. */
  mailConfigurationSet: string;
  /** The bucket in the recovery region that gets the table's changes, and the ARN of its key there. */
  changes?: { bucket: string; region: string; key: string };
}

/** What a function may do: its permission sets, and receiving the messages of the queues that invoke it. */
export interface FunctionAccess {
  permissionSets: readonly PermissionSet[];
  queues?: readonly QueueName[];
  resources: ServiceResources;
}

/**
 * Returns the statements of a function's access, the environment variables that name their resources, and, for
 * cdk-nag, the reasons for statements that it finds too wide.
 */
export function accessOf({ permissionSets: names, queues = [], resources }: FunctionAccess): {
  statements: PolicyStatement[];
  environment: Record<string, string>;
  reasons: Record<string, string>;
} {
  const own: Permissions[] = names.map((name) => permissionSets[name]);
  const format: Permissions = permissionSets["storedFormat:check"];
  const permissions = own.some(({ table = [] }) => table.length > 0) ? [...own, format] : own;
  const others = new Set(permissions.flatMap(({ other = [] }) => other));
  const known = otherAccess(resources);
  return {
    statements: [
      ...tableStatements(permissions, resources.table),
      ...objectStatements(permissions, resources.documents),
      ...[...others].flatMap((other) => known[other].statements ?? []),
      ...queues.map((name) => allow(receive, resources.queues[name].queue.queueArn)),
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

/** What Lambda needs to invoke a function with the messages of a queue. */
const receive = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];

const allow = (action: string | string[], resource: string | string[], conditions = {}) =>
  new PolicyStatement({ actions: [action].flat(), resources: [resource].flat(), conditions });

function otherAccess(resources: ServiceResources): Record<OtherAccess, Access> {
  const { documents, sealingKey, table, changes, mailFrom, accessLog } = resources;
  const readSecret = ({ secretArn }: ISecret, variable: string): Access => ({
    statements: [allow("secretsmanager:GetSecretValue", secretArn)],
    environment: { [variable]: secretArn },
  });
  // The key may be used only in the encryption context of a CRB or of a webhook endpoint.
  const useKey = (action: "Encrypt" | "Decrypt", owner: "crb_id" | "endpoint_id"): Access => ({
    statements: [allow(`kms:${action}`, sealingKey.keyArn, { Null: { [`kms:EncryptionContext:${owner}`]: "false" } })],
    environment: { KMS_KEY_ID: sealingKey.keyArn },
  });
  const address = /<(.*)>/.exec(mailFrom)?.[1] ?? mailFrom;
  const stack = Stack.of(documents);
  const anyOf = (resource: string) => stack.formatArn({ service: "ses", resource, resourceName: "*" });
  return {
    ...queueAccess(resources.queues),
    documents: { environment: { DOCUMENTS_BUCKET: documents.bucketName } },
    arrivedUploads: {
      // Checks whether an object exists, see `Bucket.read`. The permission cannot be used to list other objects, since
      // listing needs a shorter prefix or no prefix.
      statements: [allow("s3:ListBucket", documents.bucketArn, { StringLike: { "s3:prefix": uploadedKey } })],
    },
    serviceKey: readSecret(resources.serviceKey, "SERVICE_KEY_SECRET"),
    addressKey: readSecret(resources.addressKey, "ADDRESS_KEY_SECRET"),
    partnerKeys: resources.partnerKeys ? readSecret(resources.partnerKeys, "POS_PARTNER_KEYS_SECRET") : {},
    sealing: useKey("Encrypt", "crb_id"),
    unsealing: useKey("Decrypt", "crb_id"),
    webhookSealing: useKey("Encrypt", "endpoint_id"),
    webhookUnsealing: useKey("Decrypt", "endpoint_id"),
    accessLog: {
      statements: [
        allow("s3:ListBucket", accessLog.bucketArn, {
          StringLike: { "s3:prefix": [deliveredFolder, failedFolder].map((folder) => `${folder}*`) },
        }),
        allow("s3:GetObject", accessLog.arnForObjects(`${deliveredFolder}*`)),
        allow("s3:PutObject", accessLog.arnForObjects(`${digestsFolder}*`)),
      ],
      environment: { ACCESS_LOG_BUCKET: accessLog.bucketName },
      reasons: Object.fromEntries(
        [deliveredFolder, digestsFolder].map((folder) => objectReason(accessLog, `${folder}*`)),
      ),
    },
    changeExports: changes ? exportChanges(stack, table, changes) : {},
    mail: {
      // SES checks the permission on every identity involved, and on the configuration set. The sender's identity may
      // be its address, its domain or a parent domain; in the sandbox, recipients have identities too. Only the address
      // limits the permission.
      statements: [
        allow("ses:SendEmail", [anyOf("identity"), anyOf("configuration-set")], {
          StringEquals: { "ses:FromAddress": address },
        }),
      ],
      environment: { MAIL_CONFIGURATION_SET: resources.mailConfigurationSet },
      reasons: Object.fromEntries(
        ["identity", "configuration-set"].map((kind) => [
          tooWide(stack, anyOf(kind)),
          "SES requires more resources than the sender's identity; the condition names the one sender.",
        ]),
      ),
    },
  };
}

/** Sending to each queue. */
function queueAccess(queues: WorkQueues) {
  const accesses = (Object.keys(queues) as QueueName[]).map((name): [string, Access] => {
    const [{ queueArn, queueUrl }, { one }] = [queues[name].queue, workQueues[name]];
    const environment = { [`${variableName(one)}_QUEUE_URL`]: queueUrl };
    return [`${one}Queue`, { statements: [allow("sqs:SendMessage", queueArn)], environment }];
  });
  return Object.fromEntries(accesses) as Record<QueueAccess, Access>;
}

/**
 * DynamoDB writes the export with the function's permissions. They do not include reading an export. The key's policy allows
 * its use through S3.
 */
function exportChanges(
  stack: Stack,
  { tableArn }: ITable,
  { bucket, region, key }: NonNullable<ServiceResources["changes"]>,
): Access {
  const bucketArn = `arn:${stack.partition}:s3:::${bucket}`;
  const objects = `${bucketArn}/${changesFolder}*`;
  return {
    statements: [
      allow("dynamodb:ExportTableToPointInTime", tableArn),
      allow(["s3:AbortMultipartUpload", "s3:PutObject", "s3:PutObjectAcl"], objects),
      allow("s3:ListBucket", bucketArn, { StringLike: { "s3:prefix": `${changesFolder}*` } }),
    ],
    environment: { TABLE_ARN: tableArn, CHANGES_BUCKET: bucket, CHANGES_REGION: region, CHANGES_KEY: key },
    reasons: { [tooWide(stack, objects)]: "DynamoDB chooses the keys of exported objects." },
  };
}

/** The reason for a permission on objects, for a function whose stack is not the bucket's stack. */
export function objectReason(bucket: Bucket, keys: string): [id: string, reason: string] {
  const stack = Stack.of(bucket);
  const exportName = stack.resolve(stack.exportValue(bucket.bucketArn))["Fn::ImportValue"];
  return [`AwsSolutions-IAM5[Resource::${exportName}/${keys}]`, "The keys of objects are not known in advance."];
}

/** The id of cdk-nag's finding about a resource. A finding has references in angle brackets. */
function tooWide(stack: Stack, resource: string): string {
  const resolved: string | { "Fn::Join": [string, ({ Ref: string } | string)[]] } = stack.resolve(resource);
  const [separator, parts] = typeof resolved === "string" ? ["", [resolved]] : resolved["Fn::Join"];
  const name = parts.map((part) => (typeof part === "string" ? part : `<${part.Ref}>`)).join(separator);
  return `AwsSolutions-IAM5[Resource::${name}]`;
}
