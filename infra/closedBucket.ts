import { BlockPublicAccess, ObjectOwnership } from "aws-cdk-lib/aws-s3";

/** A bucket that is open to nobody, by nothing but TLS. */
export const closedBucket = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
};
