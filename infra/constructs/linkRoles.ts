import { Duration } from "aws-cdk-lib";
import { type Policy, PolicyDocument, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { exported, type PermissionSet, statementFiles, stored, uploaded } from "../permissions/permissionSets.ts";
import { objectReason } from "../permissions/policy.ts";
import { keep } from "../stages/deployedStage.ts";
import { variableName } from "../stages/outputs.ts";
import type { ServiceFunction } from "./serviceFunction.ts";
import { suppressNag } from "./suppressNag.ts";

/** A role whose sessions sign links: its id, its purpose, and the keys of the objects that the links are for. */
type LinkRole = readonly [id: string, description: string, keys: string];

const linkRoles = {
  "documents:sign": ["DocumentReader", "Reads the one document that a download link is for", stored],
  "exports:sign": ["ExportReader", "Reads the files of the one export that download links are for", exported],
  "accessReports:sign": [
    "AccessReportReader",
    "Reads the file of the one access report that a download link is for",
    exported,
  ],
  "statements:sign": [
    "StatementReader",
    "Reads the files of the one statement that download links are for",
    statementFiles,
  ],
  "uploads:plan": ["UploadWriter", "Stores the one file that an upload link is for", uploaded],
} as const satisfies Partial<Record<PermissionSet, LinkRole>>;

/**
 * Gives a function the link-signing roles that its permission sets require. A link is valid only as long as the
 * credentials that signed it, and it shows the access key id of these credentials. So a session of a separate role
 * signs each link, and the role allows only the action of the link.
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

function addRole(signer: ServiceFunction, [id, description, keys]: LinkRole, documents: Bucket): void {
  const [action, keyAction] = id.endsWith("Writer")
    ? ["s3:PutObject", "kms:GenerateDataKey"]
    : ["s3:GetObject", "kms:Decrypt"];
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
  signer.addEnvironment(`${variableName(id)}_ROLE`, role.roleArn);
}
