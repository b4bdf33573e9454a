import type { AwsSettings } from "../stages/stages.ts";

/** The output of the stack of the data that names its bucket, and the parameter by which the other region is told. */
export const documentsBucket = "DocumentsBucket";

/** The keys of a stage that have a replica in its other region, and the outputs of the stack of the data that name them. */
export const replicatedKeyOutputs = (aws: AwsSettings): Readonly<Record<string, string>> => ({
  // One that is itself a replica has no other.
  ...(!aws.recovered && { SealingKey: "KmsKeyId" }),
  ...(aws.customerManagedKey && { DataKey: "DataKeyId" }),
});
