import { RemovalPolicy } from "aws-cdk-lib";
import type { AwsSettings, StageName, StageSettings } from "./stages.ts";

/** A stage that deploys to AWS. */
export interface DeployedStage {
  name: StageName;
  settings: StageSettings;
  aws: AwsSettings;
  /** The name of the release, see `releaseName`. */
  release: string;
  /** Directory with the handlers' bundles, see `bundle`. */
  bundles: string;
}

/**
 * Keeps a resource when its stack is deleted. Only a resource whose first creation failed is deleted: a leftover
 * resource would block the next attempt.
 */
export const keep = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
