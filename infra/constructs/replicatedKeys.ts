import type { AwsSettings } from "../stages/stages.ts";

/** The data stack's output with its bucket's name, and the recovery stack's parameter for it. */
export const documentsBucket = "DocumentsBucket";

/** Keys with a replica in the recovery region, and the data stack's outputs with their ids. */
export const replicatedKeyOutputs = (aws: AwsSettings): Readonly<Record<string, string>> => ({
  // A key that is itself a replica cannot have replicas.
  ...(!aws.recovered && { SealingKey: "KmsKeyId" }),
  ...(aws.customerManagedKey && { DataKey: "DataKeyId" }),
});
