import { CfnOutput, CrossStackReferences, Duration, ReferenceStrength, Stack, type StackProps } from "aws-cdk-lib";
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import { AnyPrincipal, Effect, PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { Bucket, HttpMethods, type IBucket } from "aws-cdk-lib/aws-s3";
import { type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { endedTag } from "../../shared/domain/documents/bucket.ts";
import { tableIndexes, tableKeys } from "../../shared/store/schema.ts";
import { backupDays } from "../backup/backupDays.ts";
import {
  allowReplication,
  changesCopy,
  copyRegularly,
  createCopier,
  journalCopy,
  journalReplication,
} from "../backup/crossRegionBackup.ts";
import { AccessLogDelivery } from "../constructs/accessLogDelivery.ts";
import { createDataKey } from "../constructs/dataKey.ts";
import { linkHeaders, linkMethods, preflightSeconds } from "../constructs/objectCors.ts";
import { encryptedBy, privateBucket } from "../constructs/privateBucket.ts";
import { documentsBucket } from "../constructs/replicatedKeys.ts";
import { suppressNag } from "../constructs/suppressNag.ts";
import { createTrail } from "../constructs/trail.ts";
import { type DeployedStage, keep } from "../stages/deployedStage.ts";
import { originsOf } from "../stages/stages.ts";

export interface DataStackProps extends StackProps {
  stage: DeployedStage;
  /**
   * Whether the stage was never deployed. Resources then get no deletion protection: it would keep CloudFormation from
   * rolling back a failed deployment, and so block the next attempt.
   */
  isNew?: boolean;
}

/**
 * All data that a stage keeps: table, documents, and the keys to the secrets in them. The data stays when the stack is
 * deleted.
 */
export class DataStack extends Stack {
  /** The table that functions use: the stage's own table, or a restored table. */
  readonly table: ITable;
  readonly documents: Bucket;
  readonly accessLog: Bucket;
  readonly serviceKey: ISecret;
  /** Creates the digests of invited addresses. */
  readonly addressKey: ISecret;
  /** The service's credentials at POS companies; only with real POS systems. */
  readonly partnerKeys: ISecret | undefined;
  /** Encrypts POS credentials and the secrets of webhook endpoints. */
  readonly sealingKey: IKey;
  /** Encrypts table and documents; only with `customerManagedKey`. */
  readonly dataKey: IKey | undefined;

  constructor(scope: Construct, id: string, { stage, isNew = false, ...props }: DataStackProps) {
    super(scope, id, props);
    const dataKey = stage.aws.customerManagedKey ? createDataKey(this, stage) : undefined;
    this.dataKey = dataKey;
    const own = this.#createTable(dataKey, !isNew);
    const { tableName } = stage.aws;
    this.table = tableName ? Table.fromTableName(this, "RestoredTable", tableName) : (own as ITable);
    const { recoveryRegion } = stage.aws;
    const copier = recoveryRegion ? createCopier(this) : undefined;
    this.documents = this.#createBucket(stage, dataKey, copier);
    if (recoveryRegion && copier) {
      const copied = { table: this.table, documents: this.documents as IBucket, role: copier };
      copyRegularly(this, stage.name, recoveryRegion, copied);
    }
    // The reasons for cdk-nag name the bucket by its export. Neither a bucket nor an export is ever deleted.
    this.#export(this.documents);
    const { recovered } = stage.aws;
    this.serviceKey = this.#keySecret(stage, "ServiceKey", recovered?.serviceKey, {
      description: `Service key of stage ${stage.name}: every hash of a sensitive field depends on it`,
      reason: "A new key would change the hash of every stored name and number.",
    });
    this.addressKey = this.#keySecret(stage, "AddressKey", recovered?.addressKey, {
      description: `Address key of stage ${stage.name}: digests of invited addresses depend on it`,
      reason: "A new key would change the digest of every invited address, so earlier invitations would not be found.",
    });
    this.partnerKeys = stage.settings.posConnectors === "real" ? this.#partnerKeysOf(stage) : undefined;
    this.sealingKey = recovered
      ? Key.fromKeyArn(this, "RecoveredSealingKey", recovered.sealingKey)
      : new Key(this, "SealingKey", {
          description: `Seals the POS credentials and webhook secrets of stage ${stage.name}`,
          enableKeyRotation: true,
          ...(recoveryRegion && { multiRegion: true }),
          removalPolicy: keep,
        });
    const accessLog = new AccessLogDelivery(this, stage, dataKey);
    this.accessLog = accessLog.bucket;
    this.#export(this.accessLog);
    // CloudFormation creates the trail last: the trail writes to the bucket at once, and a rollback cannot delete a
    // bucket with objects.
    const secrets = [
      this.serviceKey,
      this.addressKey,
      this.sealingKey,
      ...(this.partnerKeys ? [this.partnerKeys] : []),
    ];
    const trail = createTrail(
      this,
      stage,
      {
        accessLog: accessLog.bucket,
        documents: this.documents,
        copies: recoveryRegion
          ? [journalCopy, changesCopy].map((nameOf) => nameOf(stage.name, this.account, recoveryRegion))
          : [],
        regions: [this.region, ...(recoveryRegion ? [recoveryRegion] : [])],
      },
      dataKey,
    );
    trail.node.addDependency(own, this.documents, accessLog.bucket, ...secrets);
    new CfnOutput(this, "TableName", { value: this.table.tableName });
    new CfnOutput(this, documentsBucket, { value: this.documents.bucketName });
    new CfnOutput(this, "KmsKeyId", { value: this.sealingKey.keyArn });
    if (dataKey) new CfnOutput(this, "DataKeyId", { value: dataKey.keyArn });
    new CfnOutput(this, "ServiceKeySecret", { value: this.serviceKey.secretArn });
    new CfnOutput(this, "AddressKeySecret", { value: this.addressKey.secretArn });
  }

  /** Exports the name and the ARN of a bucket for other stacks. */
  #export(bucket: Bucket): void {
    CrossStackReferences.of(bucket).produce(ReferenceStrength.STRONG);
    this.exportValue(bucket.bucketName);
    this.exportValue(bucket.bucketArn);
  }

  /**
   * A key of the service that AWS generates, without rotation, or the replica of the one that a recovered stage had.
   *
   * @param reason why it is not rotated, for cdk-nag
   */
  #keySecret(
    stage: DeployedStage,
    id: string,
    replica: string | undefined,
    { description, reason }: { description: string; reason: string },
  ): ISecret {
    if (replica !== undefined) return Secret.fromSecretCompleteArn(this, `Recovered${id}`, replica);
    const secret = new Secret(this, id, {
      description,
      // 64 hexadecimal digits are 32 bytes.
      generateSecretString: {
        passwordLength: 64,
        excludeUppercase: true,
        excludePunctuation: true,
        excludeCharacters: "ghijklmnopqrstuvwxyz",
        requireEachIncludedType: false,
      },
      ...replicas(stage),
      removalPolicy: keep,
    });
    suppressNag(secret, { "AwsSolutions-SMG4": reason });
    return secret as ISecret;
  }

  #partnerKeysOf(stage: DeployedStage): ISecret {
    const { partnerKeys } = stage.aws.recovered ?? {};
    const secret = partnerKeys
      ? Secret.fromSecretCompleteArn(this, "RecoveredPartnerKeys", partnerKeys)
      : (this.#createPartnerKeys(stage) as ISecret);
    new CfnOutput(this, "PosPartnerKeysSecret", { value: secret.secretArn });
    return secret;
  }

  /**
   * Creates a secret with random text, in which the operator later stores the keys as JSON
   * (docs/operations/first-deployment.md).
   */
  #createPartnerKeys(stage: DeployedStage): Secret {
    const secret = new Secret(this, "PartnerKeys", {
      description: `Keys that POS companies issued to stage ${stage.name}, as JSON; the operator fills it in`,
      ...replicas(stage),
      removalPolicy: keep,
    });
    suppressNag(secret, { "AwsSolutions-SMG4": "The POS companies make these keys." });
    return secret;
  }

  #createTable(encryptionKey: Key | undefined, deletionProtection: boolean): Table {
    const partitionKey = { name: tableKeys.hash, type: AttributeType.STRING };
    const table = new Table(this, "Table", {
      partitionKey,
      sortKey: { name: tableKeys.range, type: AttributeType.STRING },
      timeToLiveAttribute: tableKeys.timeToLive,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: backupDays },
      deletionProtection,
      removalPolicy: keep,
      ...(encryptionKey
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }
        : { encryption: TableEncryption.DEFAULT }),
    });
    for (const [indexName, range] of Object.entries(tableIndexes)) {
      table.addGlobalSecondaryIndex({ indexName, partitionKey, sortKey: { name: range, type: AttributeType.STRING } });
    }
    return table;
  }

  /** @param copier the role that copies the bucket to another region */
  #createBucket(
    { name, settings, aws }: DeployedStage,
    encryptionKey: Key | undefined,
    copier: Role | undefined,
  ): Bucket {
    const allowedOrigins = originsOf(settings);
    const { recoveryRegion } = aws;
    const bucket = new Bucket(this, "Documents", {
      ...privateBucket,
      ...encryptedBy(encryptionKey),
      versioned: true,
      ...(recoveryRegion && encryptionKey && journalReplication(this, name, recoveryRegion, encryptionKey)),
      cors: [
        {
          allowedOrigins,
          allowedMethods: linkMethods.map((method) => HttpMethods[method]),
          allowedHeaders: [...linkHeaders],
          maxAge: preflightSeconds,
        },
      ],
      lifecycleRules: [
        { id: "old versions", noncurrentVersionExpiration: Duration.days(30), expiredObjectDeleteMarker: true },
        { id: "unfinished uploads", abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // A fallback: the sweeper normally removes these uploads earlier.
        { id: "uploads that became no document", prefix: "uploads/", expiration: Duration.days(2) },
        // A fallback: an export normally removes its files when it ends, after seven days at the latest.
        {
          id: "files of exports",
          prefix: "exports/",
          expiration: Duration.days(8),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
      removalPolicy: keep,
    });
    if (recoveryRegion && encryptionKey) allowReplication(bucket, name, recoveryRegion, encryptionKey);
    const deny = (actions: string[], keys: string, conditions: Record<string, Record<string, string>>) =>
      bucket.addToResourcePolicy(
        new PolicyStatement({
          effect: Effect.DENY,
          principals: [new AnyPrincipal()],
          actions,
          resources: [bucket.arnForObjects(keys)],
          conditions,
        }),
      );
    // S3 checks this policy at every request, so links that were signed earlier also stop working.
    // Copies must have these files, too: statements are kept for examiners. Only AWS Backup can assume the role.
    deny(["s3:GetObject", "s3:GetObjectVersion"], "*", {
      StringEquals: { [`s3:ExistingObjectTag/${endedTag.Key}`]: endedTag.Value },
      ...(copier && { ArnNotEquals: { "aws:PrincipalArn": copier.roleArn } }),
    });
    // A purge is a command of a person, and no function may delete a statement.
    const roles = { service: "iam", region: "", resource: "role", resourceName: `business-data-${name}-*` };
    deny(["s3:DeleteObject", "s3:DeleteObjectVersion"], "statements/*", {
      ArnLike: { "aws:PrincipalArn": this.formatArn(roles) },
    });
    suppressNag(bucket, {
      "AwsSolutions-S1":
        "A server access log would contain query strings and so the signatures of download links; CloudTrail logs every access without them.",
    });
    return bucket;
  }
}

const replicas = ({ aws: { recoveryRegion } }: DeployedStage) =>
  recoveryRegion ? { replicaRegions: [{ region: recoveryRegion }] } : {};
