import { Duration } from "aws-cdk-lib";
import { type Policy, PolicyDocument, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { exported, type PermissionSet, statementFiles, stored, uploaded } from "../permissions/permissionSets.ts";
import { objectReason } from "../permissions/policy.ts";
import { keep } from "../stages/deployedStage.ts";
import type { ServiceFunction } from "./serviceFunction.ts";
import { suppressNag } from "./suppressNag.ts";

/** A role whose sessions sign links. */
interface LinkRole {
  id: string;
  description: string;
  /** The environment variable with the role's ARN. */
  variable: string;
  /** The S3 action that the links allow, a pattern of object keys, and the action on the bucket's KMS key. */
  action: string;
  keys: string;
  keyAction: string;
}

const linkRoles = {
  "documents:sign": {
    id: "DocumentReader",
    description: "Reads the one document that a download link is for",
    variable: "DOCUMENT_READER_ROLE",
    action: "s3:GetObject",
    keys: stored,
    keyAction: "kms:Decrypt",
  },
  "exports:sign": {
    id: "ExportReader",
    description: "Reads the files of the one export that download links are for",
    variable: "EXPORT_READER_ROLE",
    action: "s3:GetObject",
    keys: exported,
    keyAction: "kms:Decrypt",
  },
  "accessReports:sign": {
    id: "AccessReportReader",
    description: "Reads the file of the one access report that a download link is for",
    variable: "ACCESS_REPORT_READER_ROLE",
    action: "s3:GetObject",
    keys: exported,
    keyAction: "kms:Decrypt",
  },
  "statements:sign": {
    id: "StatementReader",
    description: "Reads the files of the one statement that download links are for",
    variable: "STATEMENT_READER_ROLE",
    action: "s3:GetObject",
    keys: statementFiles,
    keyAction: "kms:Decrypt",
  },
  "uploads:plan": {
    id: "UploadWriter",
    description: "Stores the one file that an upload link is for",
    variable: "UPLOAD_WRITER_ROLE",
    action: "s3:PutObject",
    keys: uploaded,
    keyAction: "kms:GenerateDataKey",
  },
} as const satisfies Partial<Record<PermissionSet, LinkRole>>;

/**
 * Gives a function the link-signing roles that its permission sets require. A link is valid only as long as the
 * credentials that signed it, and it shows the access key id of these credentials. So a session of a separate role
 * signs each link, and the role allows only the action of the link.
 *
 * @param documents the bucket of the links
 */
export function grantPresigning(
  signer: ServiceFunction,
  permissionSets: readonly PermissionSet[],
  documents: Bucket,
): void {
  for (const [permissionSet, role] of Object.entries(linkRoles)) {
    if (permissionSets.some((each) => each === permissionSet)) addRole(signer, role, documents);
  }
}

function addRole(signer: ServiceFunction, linkRole: LinkRole, documents: Bucket): void {
  const { id, description, variable, action, keys, keyAction } = linkRole;
  const { encryptionKey } = documents;
  const role = new Role(signer.stack, id, {
    description,
    assumedBy: signer.ownRole,
    maxSessionDuration: Duration.hours(1),
    inlinePolicies: {
      link: new PolicyDocument({
        statements: [
          new PolicyStatement({ actions: [action], resources: [documents.arnForObjects(keys)] }),
          ...(encryptionKey ? [new PolicyStatement({ actions: [keyAction], resources: [encryptionKey.keyArn] })] : []),
        ],
      }),
    },
  });
  suppressNag(role, Object.fromEntries([objectReason(documents, keys)]));
  role.grantAssumeRole(signer.ownRole);
  // The role, and the policy that lets the function assume the role, stay as long as a rollback may need the function.
  const assuming = signer.ownRole.node.findChild("DefaultPolicy") as Policy;
  for (const each of [role, assuming]) each.applyRemovalPolicy(keep);
  signer.addEnvironment(variable, role.roleArn);
}
