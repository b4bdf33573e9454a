import { CfnOutput, CfnParameter, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { BackupVault } from "aws-cdk-lib/aws-backup";
import { AccountRootPrincipal, AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnReplicaKey, Key } from "aws-cdk-lib/aws-kms";
import { Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { changeExports } from "../backup/backupDays.ts";
import {
  changesCopy,
  createBackupRole,
  journalCopy,
  recoveryVaultName,
  restorerPolicies,
} from "../backup/crossRegionBackup.ts";
import { byStorage } from "../constructs/dataKey.ts";
import { encryptedBy, privateBucket } from "../constructs/privateBucket.ts";
import { documentsBucket, replicatedKeyOutputs } from "../constructs/replicatedKeys.ts";
import { suppressNag } from "../constructs/suppressNag.ts";
import { Alarms } from "../monitoring/alarms.ts";
import { createAlarmTopics, recoveryTopicNames } from "../monitoring/alarmTopic.ts";
import { journalOf, recoveryRegionAlarms } from "../monitoring/copyAlarms.ts";
import { restoreRoleName } from "../permissions/boundary/restoreRole.ts";
import { type DeployedStage, keep } from "../stages/deployedStage.ts";
import type { StageName } from "../stages/stages.ts";

interface RecoveryStackProps extends StackProps {
  stage: DeployedStage;
}

/**
 * A stack in the recovery region, deployed before the data stack. It contains the targets that must exist before the
 * data stack can name them, and the role for AWS Backup's restores.
 */
export class RecoveryStack extends Stack {
  constructor(scope: Construct, id: string, { stage: { name }, ...props }: RecoveryStackProps) {
    super(scope, id, props);
    new BackupVault(this, "Vault", { backupVaultName: recoveryVaultName(name), removalPolicy: keep });
    const bucket = new Bucket(this, "Journal", {
      ...privateBucket,
      bucketName: journalCopy(name, this.account, this.region),
      // The replication encrypts each object with the replica of the data key, which does not exist yet.
      encryption: BucketEncryption.S3_MANAGED,
      versioned: true,
      removalPolicy: keep,
    });
    suppressNag(bucket, {
      "AwsSolutions-S1": "Only S3 replication writes to the bucket, and it is read only in a disaster.",
    });
    denyReading(bucket, name);
    // The account has AWS Backup's default role only after a job was started in the console.
    const restorer = createBackupRole(this, "Restorer", "Restores the copies of table and documents", restorerPolicies);
    new CfnOutput(this, "RestorerRole", { value: restorer.roleArn });
  }
}

/**
 * A stack in the recovery region, deployed after the data stack. It contains the replicas of the data stack's keys,
 * the copies that the replica of the data key encrypts, and alarms on metrics that exist only in this region.
 */
export class RecoveryKeysStack extends Stack {
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, { stage, ...props }: RecoveryStackProps) {
    super(scope, id, props);
    const owner = new PolicyStatement({
      principals: [new AccountRootPrincipal()],
      actions: ["kms:*"],
      resources: ["*"],
    });
    for (const name of Object.keys(replicatedKeyOutputs(stage.aws))) {
      const primary = new CfnParameter(this, `${name}Arn`, { description: "The primary key of this replica" });
      const replica = new CfnReplicaKey(this, name, {
        description: `${name} of stage ${stage.name}, for the loss of its region`,
        primaryKeyArn: primary.valueAsString,
        keyPolicy: new PolicyDocument({ statements: name === "DataKey" ? [owner, byStorage(this)] : [owner] }),
      });
      replica.applyRemovalPolicy(keep);
      if (name === "DataKey") this.#createChanges(stage.name, replica);
    }
    const source = new CfnParameter(this, documentsBucket, { description: "The bucket with the original journal" });
    this.alarms = new Alarms(stage, createAlarmTopics(this, stage, recoveryTopicNames(stage.name)));
    this.alarms.add(this, recoveryRegionAlarms(journalOf(stage.name, source.valueAsString, this, this.region)));
  }

  /** The bucket with the exported changes of the table, encrypted with the replica of the data key. */
  #createChanges(stage: StageName, dataKey: CfnReplicaKey): void {
    const changes = new Bucket(this, "Changes", {
      ...privateBucket,
      ...encryptedBy(Key.fromKeyArn(this, "ReplicaOfDataKey", dataKey.attrArn)),
      bucketName: changesCopy(stage, this.account, this.region),
      lifecycleRules: [
        { expiration: Duration.days(changeExports.daysKept), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      removalPolicy: keep,
    });
    denyReading(changes, stage);
    suppressNag(changes, {
      "AwsSolutions-S1": "Only DynamoDB's exports write to the bucket, and it is read only in a disaster.",
    });
  }
}

/** Denies reading the objects of a bucket with copies to all principals except the restore role of its region. */
function denyReading(bucket: Bucket, stage: StageName): void {
  const { partition, account, region } = bucket.stack;
  bucket.addToResourcePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ["s3:GetObject", "s3:GetObjectVersion"],
      resources: [bucket.arnForObjects("*")],
      conditions: {
        ArnNotEquals: { "aws:PrincipalArn": `arn:${partition}:iam::${account}:role/${restoreRoleName(stage, region)}` },
      },
    }),
  );
}
