import type { AwsSettings, StageName, StageSettings } from "../stages/stages.ts";

/** The data stack's output with its bucket's name, and the recovery stack's parameter for it. */
export const documentsBucket = "DocumentsBucket";

/** Keys with a replica in the recovery region, and the data stack's outputs with their ids. */
export const replicatedKeyOutputs = (aws: AwsSettings): Readonly<Record<string, string>> => ({
  // A key that is itself a replica cannot have replicas.
  ...(!aws.recovered && { SealingKey: "KmsKeyId" }),
  ...(aws.customerManagedKey && { DataKey: "DataKeyId" }),
});

/** The errors in a stage's settings of its recovery region, each with its correction; empty if all are valid. */
export const recoveryIssues = (name: StageName, { aws }: StageSettings): string[] =>
  aws?.recoveryRegion && !aws.customerManagedKey
    ? [
        `Set customerManagedKey of stage ${name} in infra/stages/stages.ts, or remove recoveryRegion: the key's replica encrypts the copies there.`,
      ]
    : [];
