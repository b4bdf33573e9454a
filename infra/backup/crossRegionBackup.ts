import { ArnFormat, Duration, type Stack, Token } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { Schedule } from "aws-cdk-lib/aws-events";
import { ManagedPolicy, Policy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { Bucket, type BucketProps, type CfnBucket, type IBucket, ReplicationTimeValue } from "aws-cdk-lib/aws-s3";
import { journalFolder } from "../../shared/domain/documents/journal.ts";
import { suppressNag } from "../constructs/suppressNag.ts";
import { keep } from "../stages/deployedStage.ts";
import type { StageName } from "../stages/stages.ts";
import { recoveryPointDays, tableCopyDays } from "./backupDays.ts";

// Copies of a stage in another region (docs/operations/lost-region.md). The stacks of one region refer to resources of
// the other region by fixed names, since a lost region cannot be queried.

/** The bucket with the copy of a stage's journal. */
export const journalCopy = (stage: StageName, account: string, region: string): string =>
  `business-data-${stage}-journal-${account}-${region}`;

/** The bucket with the exported changes of a stage's table. */
export const changesCopy = (stage: StageName, account: string, region: string): string =>
  `business-data-${stage}-changes-${account}-${region}`;

/** The vault with a stage's backups in its own region, the source of the copies. */
export const primaryVaultName = (stage: StageName): string => `business-data-${stage}`;

/** The vault with a stage's copies in the other region. */
export const recoveryVaultName = (stage: StageName): string => `business-data-${stage}-copies`;

/** The id of the journal's replication rule. */
export const journalRule = "journal";

/** The AWS managed policies of the role with which AWS Backup makes copies. */
export const copierPolicies = [
  "service-role/AWSBackupServiceRolePolicyForBackup",
  "AWSBackupServiceRolePolicyForS3Backup",
] as const;

/**
 * The AWS managed policies of the role with which AWS Backup restores tables and buckets. The stage's permissions
 * boundary limits these policies to the stage's own resources.
 */
export const restorerPolicies = [
  "service-role/AWSBackupServiceRolePolicyForRestores",
  "AWSBackupServiceRolePolicyForS3Restore",
] as const;

/** Creates a role for AWS Backup, with AWS managed policies. */
export function createBackupRole(stack: Stack, id: string, description: string, policies: readonly string[]): Role {
  const role = new Role(stack, id, {
    description,
    assumedBy: new ServicePrincipal("backup.amazonaws.com"),
    managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  });
  suppressNag(
    role,
    Object.fromEntries(
      policies.map((name) => [
        `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
        "AWS maintains the permissions that AWS Backup needs in these managed policies.",
      ]),
    ),
  );
  return role;
}

/** Creates the role with which AWS Backup copies a stage's table and documents to the other region. */
export const createCopier = (stack: Stack): Role =>
  createBackupRole(stack, "Copier", "Copies table and documents to the other region", copierPolicies);

/** Backs up the table on some days and the documents each night, and copies both to the vault in another region. */
export function copyRegularly(
  stack: Stack,
  stage: StageName,
  region: string,
  { table, documents, role }: { table: ITable; documents: IBucket; role: Role },
): void {
  const name = primaryVaultName(stage);
  const vault = new BackupVault(stack, "Vault", { backupVaultName: name, removalPolicy: keep });
  const there = stack.formatArn({
    service: "backup",
    region,
    resource: "backup-vault",
    resourceName: recoveryVaultName(stage),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const destinationBackupVault = BackupVault.fromBackupVaultArn(stack, "VaultThere", there);
  // The rules of a plan apply to all its resources. Table and documents have different retentions, so each has a plan.
  const addPlan = (
    id: string,
    backupPlanName: string,
    resource: BackupResource,
    { days, copyDays, monthDays = "*" }: { days: number; copyDays: number; monthDays?: string },
  ) => {
    const plan = new BackupPlan(stack, id, { backupPlanName, backupVault: vault });
    plan.addRule(
      new BackupPlanRule({
        ruleName: "regular",
        scheduleExpression: Schedule.cron({ day: monthDays, hour: "7", minute: "0" }),
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(8),
        deleteAfter: Duration.days(days),
        copyActions: [{ destinationBackupVault, deleteAfter: Duration.days(copyDays) }],
      }),
    );
    plan.addSelection("Kept", { role: role.withoutPolicyUpdates(), resources: [resource] });
  };
  const { table: tableDays, tableCopies, documents: documentDays, documentCopies } = recoveryPointDays;
  addPlan("Copies", name, BackupResource.fromDynamoDbTable(table), {
    days: tableDays,
    copyDays: tableCopies,
    monthDays: tableCopyDays.join(),
  });
  addPlan("DocumentCopies", `${name}-documents`, BackupResource.fromArn(documents.bucketArn), {
    days: documentDays,
    copyDays: documentCopies,
  });
}

/** The rule and the role that replicate the journal in a bucket to another region, soon after each write. */
export function journalReplication(
  stack: Stack,
  stage: StageName,
  region: string,
  dataKey: IKey,
): Pick<BucketProps, "replicationRules" | "replicationRole"> {
  return {
    replicationRole: new Role(stack, "JournalCopier", {
      description: "Copies the journal to the other region",
      assumedBy: new ServicePrincipal("s3.amazonaws.com"),
    }),
    replicationRules: [
      {
        id: journalRule,
        destination: Bucket.fromBucketName(stack, "JournalThere", journalCopy(stage, stack.account, region)),
        filter: { prefix: journalFolder },
        replicationTimeControl: ReplicationTimeValue.FIFTEEN_MINUTES,
        // Enables the replication metrics in CloudWatch.
        metrics: ReplicationTimeValue.FIFTEEN_MINUTES,
        sseKmsEncryptedObjects: true,
        kmsKey: Key.fromKeyArn(stack, "DataKeyThere", replicaArn(stack, region, dataKey)),
      },
    ],
  };
}

/** Grants the permissions of the replication. These permissions name the bucket, so the bucket must exist first. */
export function allowReplication(bucket: Bucket, stage: StageName, region: string, dataKey: IKey): void {
  const { stack } = bucket;
  const role = stack.node.findChild("JournalCopier") as Role;
  const journal = bucket.arnForObjects(`${journalFolder}*`);
  const copy = (account: string) => `s3:::${journalCopy(stage, account, region)}/${journalFolder}*`;
  const statements: [actions: string[], resource: string][] = [
    [["s3:GetReplicationConfiguration", "s3:ListBucket"], bucket.bucketArn],
    [["s3:GetObjectVersionForReplication", "s3:GetObjectVersionAcl", "s3:GetObjectVersionTagging"], journal],
    [["s3:ReplicateObject", "s3:ReplicateTags"], `arn:${stack.partition}:${copy(stack.account)}`],
    [["kms:Decrypt"], dataKey.keyArn],
    [["kms:Encrypt"], replicaArn(stack, region, dataKey)],
  ];
  const policy = new Policy(stack, "JournalCopying", {
    roles: [role],
    statements: statements.map(([actions, resource]) => new PolicyStatement({ actions, resources: [resource] })),
  });
  const id = stack.getLogicalId(bucket.node.defaultChild as CfnBucket);
  const account = Token.isUnresolved(stack.account) ? "<AWS::AccountId>" : stack.account;
  const reason = "The keys of the journal's entries are not known in advance.";
  suppressNag(policy, {
    [`AwsSolutions-IAM5[Resource::<${id}.Arn>/${journalFolder}*]`]: reason,
    [`AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${copy(account)}]`]: reason,
  });
}

/** The replica of a key in another region. It has the same key id as its primary key. */
export const replicaArn = (stack: Stack, region: string, { keyId }: IKey): string =>
  stack.formatArn({ service: "kms", region, resource: "key", resourceName: keyId });
