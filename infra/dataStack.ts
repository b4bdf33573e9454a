import { CfnOutput, CrossStackReferences, Duration, ReferenceStrength, Stack, type StackProps } from "aws-cdk-lib";
import { ReadWriteType, Trail } from "aws-cdk-lib/aws-cloudtrail";
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { endedTag } from "../shared/documents/bucket.ts";
import { tableIndexes, tableKeys } from "../shared/table/schema.ts";
import { acknowledge } from "./acknowledge.ts";
import { backupDays } from "./backupDays.ts";
import { type DeployedStage, keep } from "./deployedStage.ts";
import { linkHeaders, linkMethods, preflightSeconds } from "./objectCors.ts";
import { originsOf } from "./stages.ts";

export interface DataStackProps extends StackProps {
  stage: DeployedStage;
  /**
   * That it was never deployed: then nothing is protected from deletion yet, which would keep CloudFormation from rolling
   * back a deployment that fails, and so from another try.
   */
  isNew?: boolean;
}

/** All that a stage keeps: table, documents, and the keys to what is secret in them. It outlives the stack. */
export class DataStack extends Stack {
  /** What functions work on: the stage's own table, or the one that was restored in its place. */
  readonly table: ITable;
  readonly documents: Bucket;
  readonly serviceKey: Secret;
  /** What POS companies give to the service; where the POS systems are real. */
  readonly partnerKeys: Secret | undefined;
  /** Seals POS credentials and the secrets of webhook endpoints. */
  readonly sealingKey: Key;

  constructor(scope: Construct, id: string, { stage, isNew = false, ...props }: DataStackProps) {
    super(scope, id, props);
    const dataKey = stage.aws.customerManagedKey ? this.#dataKey(stage) : undefined;
    const own = this.#createTable(dataKey, !isNew);
    // Told to the other stacks whether or not they use it: what one of them still imports could not be taken away, so
    // that no deployment could lead them to another table.
    this.exportValue(own.tableName);
    this.exportValue(own.tableArn);
    const { tableName } = stage.aws;
    this.table = tableName ? Table.fromTableName(this, "RestoredTable", tableName) : (own as ITable);
    this.documents = this.#createBucket(stage, dataKey);
    // The reasons that cdk-nag is given name the bucket as an export has it. It is never taken away, nor are its exports.
    CrossStackReferences.of(this.documents).produce(ReferenceStrength.STRONG);
    this.exportValue(this.documents.bucketName);
    this.exportValue(this.documents.bucketArn);
    this.serviceKey = new Secret(this, "ServiceKey", {
      description: `Service key of stage ${stage.name}: every hash of a sensitive field depends on it`,
      // 64 hexadecimal digits, 32 bytes.
      generateSecretString: {
        passwordLength: 64,
        excludeUppercase: true,
        excludePunctuation: true,
        excludeCharacters: "ghijklmnopqrstuvwxyz",
        requireEachIncludedType: false,
      },
      removalPolicy: keep,
    });
    acknowledge(this.serviceKey, {
      "AwsSolutions-SMG4": "Another key would make another hash of every name and number that is stored.",
    });
    this.partnerKeys = stage.settings.posConnectors === "real" ? this.#createPartnerKeys(stage) : undefined;
    this.sealingKey = new Key(this, "SealingKey", {
      description: `Seals the POS credentials and webhook secrets of stage ${stage.name}`,
      enableKeyRotation: true,
      removalPolicy: keep,
    });
    // The log is not empty from its beginning, and could not be taken back.
    const secrets = [this.serviceKey, this.sealingKey, ...(this.partnerKeys ? [this.partnerKeys] : [])];
    this.#logAccess(stage).node.addDependency(own, this.documents, ...secrets);
    new CfnOutput(this, "TableName", { value: this.table.tableName });
    new CfnOutput(this, "DocumentsBucket", { value: this.documents.bucketName });
    new CfnOutput(this, "KmsKeyId", { value: this.sealingKey.keyArn });
    new CfnOutput(this, "ServiceKeySecret", { value: this.serviceKey.secretArn });
  }

  /** Random text until the operator puts the keys into it, as JSON (docs/operations.md). */
  #createPartnerKeys(stage: DeployedStage): Secret {
    const secret = new Secret(this, "PartnerKeys", {
      description: `What POS companies give to stage ${stage.name}: JSON, filled by the operator`,
      removalPolicy: keep,
    });
    acknowledge(secret, { "AwsSolutions-SMG4": "The POS companies make these keys." });
    new CfnOutput(this, "PosPartnerKeysSecret", { value: secret.secretArn });
    return secret;
  }

  /** For the table and the documents. Whoever may use these may use it for that, and for nothing else. */
  #dataKey(stage: DeployedStage): Key {
    const key = new Key(this, "DataKey", {
      description: `Encrypts table and documents of stage ${stage.name}`,
      enableKeyRotation: true,
      removalPolicy: keep,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: [
          "kms:Encrypt",
          "kms:Decrypt",
          "kms:ReEncrypt*",
          "kms:GenerateDataKey*",
          "kms:DescribeKey",
          "kms:CreateGrant",
        ],
        resources: ["*"],
        conditions: {
          StringEquals: {
            "kms:CallerAccount": this.account,
            "kms:ViaService": [`dynamodb.${this.region}.amazonaws.com`, `s3.${this.region}.amazonaws.com`],
          },
        },
      }),
    );
    return key;
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

  #createBucket({ settings }: DeployedStage, encryptionKey: Key | undefined): Bucket {
    const allowedOrigins = originsOf(settings);
    const bucket = new Bucket(this, "Documents", {
      ...closed,
      ...(encryptionKey
        ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      versioned: true,
      cors: [
        {
          allowedOrigins,
          allowedMethods: linkMethods.map((method) => HttpMethods[method]),
          allowedHeaders: [...linkHeaders],
          maxAge: preflightSeconds,
        },
      ],
      lifecycleRules: [
        {
          id: "old versions",
          noncurrentVersionExpiration: Duration.days(30),
          expiredObjectDeleteMarker: true,
        },
        { id: "unfinished uploads", abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // The sweeper removes them by then; this is for the day on which it does not.
        { id: "uploads that became no document", prefix: "uploads/", expiration: Duration.days(2) },
      ],
      removalPolicy: keep,
    });
    // At every request, so that links that were given out before end too.
    bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ["s3:GetObject", "s3:GetObjectVersion"],
        resources: [bucket.arnForObjects("*")],
        conditions: { StringEquals: { [`s3:ExistingObjectTag/${endedTag.Key}`]: endedTag.Value } },
      }),
    );
    acknowledge(bucket, {
      "AwsSolutions-S1":
        "Its log would hold query strings, and with them the signatures of download links; CloudTrail logs every access without them.",
    });
    return bucket;
  }

  /** Every access to a document, without the query string, whose signature would open it to whoever reads the log. */
  #logAccess({ aws }: DeployedStage): Trail {
    const bucket = new Bucket(this, "AccessLog", {
      ...closed,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ expiration: Duration.days(aws.logDays) }],
      removalPolicy: keep,
    });
    acknowledge(bucket, { "AwsSolutions-S1": "It holds the log itself." });
    const trail = new Trail(this, "DocumentAccess", {
      bucket: bucket as IBucket,
      isMultiRegionTrail: false,
      includeGlobalServiceEvents: false,
      enableFileValidation: true,
      managementEvents: ReadWriteType.NONE,
    });
    trail.addS3EventSelector([{ bucket: this.documents as IBucket }], { includeManagementEvents: false });
    return trail;
  }
}

/** Open to nobody, by nothing but TLS. */
const closed = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
};
