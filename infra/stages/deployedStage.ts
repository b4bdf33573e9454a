import { RemovalPolicy } from "aws-cdk-lib";
import type { AwsSettings, StageName, StageSettings } from "./stages.ts";

/** A stage on its way to AWS. */
export interface DeployedStage {
  name: StageName;
  settings: StageSettings;
  aws: AwsSettings;
  /** Where the bundles of the handlers are, see `bundle`. */
  bundles: string;
}

/** What outlives its stack; only where the stack was never made, nothing stays that would be in the way of the next try. */
export const keep = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
