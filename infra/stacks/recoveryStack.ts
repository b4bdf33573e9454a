import { CfnOutput, CfnParameter, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { BackupVault } from "aws-cdk-lib/aws-backup";
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnReplicaKey } from "aws-cdk-lib/aws-kms";
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
import { privateBucket } from "../constructs/privateBucket.ts";
import { documentsBucket, replicatedKeyOutputs } from "../constructs/replicatedKeys.ts";
import { suppressNag } from "../constructs/suppressNag.ts";
import { Alarms } from "../monitoring/alarms.ts";
import { createAlarmTopic, recoveryTopicName } from "../monitoring/alarmTopic.ts";
import { journalOf, recoveryRegionAlarms } from "../monitoring/copyAlarms.ts";
import { type DeployedStage, keep } from "../stages/deployedStage.ts";

interface RecoveryStackProps extends StackProps {
  stage: DeployedStage;
}

/**
 * A stack in the recovery region, deployed before the data stack. It contains the target of the data stack's copies,
 * and the role for AWS Backup's restores.
 */
export class RecoveryStack extends Stack {
  constructor(scope: Construct, id: string, { stage: { name }, ...props }: RecoveryStackProps) {
    super(scope, id, props);
    new BackupVault(this, "Vault", { backupVaultName: recoveryVaultName(name), removalPolicy: keep });
    const bucket = new Bucket(this, "Journal", {
      ...privateBucket,
      bucketName: journalCopy(name, this.account, this.region),
      encryption: BucketEncryption.S3_MANAGED,
      versioned: true,
      removalPolicy: keep,
    });
    suppressNag(bucket, {
      "AwsSolutions-S1": "Only S3 replication writes to the bucket, and it is read only in a disaster.",
    });
    const changes = new Bucket(this, "Changes", {
      ...privateBucket,
      bucketName: changesCopy(name, this.account, this.region),
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [
        { expiration: Duration.days(changeExports.daysKept), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      removalPolicy: keep,
    });
    suppressNag(changes, {
      "AwsSolutions-S1": "Only DynamoDB's exports write to the bucket, and it is read only in a disaster.",
    });
    // The account has AWS Backup's default role only after a job was started in the console.
    const restorer = createBackupRole(this, "Restorer", "Restores the copies of table and documents", restorerPolicies);
    new CfnOutput(this, "RestoreRole", { value: restorer.roleArn });
  }
}

/**
 * A stack in the recovery region, deployed after the data stack. It contains the keys that decrypt the data stack's
 * copies, and alarms on metrics that exist only in this region.
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
        keyPolicy: new PolicyDocument({
          statements: name === "DataKey" ? [owner, byStorage(this)] : [owner],
        }),
      });
      replica.applyRemovalPolicy(keep);
    }
    const source = new CfnParameter(this, documentsBucket, { description: "The bucket with the original journal" });
    this.alarms = new Alarms(stage, createAlarmTopic(this, stage, recoveryTopicName(stage.name)));
    this.alarms.add(this, recoveryRegionAlarms(journalOf(stage.name, source.valueAsString, this, this.region)));
  }
}
