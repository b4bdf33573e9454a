import type { IKey } from "aws-cdk-lib/aws-kms";
import { BlockPublicAccess, BucketEncryption, type BucketProps, ObjectOwnership } from "aws-cdk-lib/aws-s3";

/** Blocks public access and requires TLS. */
export const privateBucket = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
};

/** Encrypts a bucket with the stage's data key, or with S3's own key if the stage has none. */
export const encryptedBy = (
  encryptionKey: IKey | undefined,
): Pick<BucketProps, "encryption" | "encryptionKey" | "bucketKeyEnabled"> =>
  encryptionKey
    ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
    : { encryption: BucketEncryption.S3_MANAGED };
