import type { StageName, StageSettings } from "../stages/stages.ts";

/** A deployment that the operator has requested. */
export interface PlannedDeployment {
  stage: StageName;
  settings: StageSettings;
  account: string;
  region: string;
  /** The concurrency limit of the account in the region; undefined for a stage without functions. */
  accountConcurrency: number | undefined;
  /** Whether no deployment of the stage has succeeded. */
  isNew: boolean;
  /** Whether the stage is paused, and stays so. Its functions then need no concurrency. */
  paused: boolean;
  /** Whether the release gets all calls at once, without a canary. */
  atOnce: boolean;
}

/** What the checks before a deployment use. */
export type CheckedDeployment = Pick<PlannedDeployment, "stage" | "settings" | "region" | "isNew" | "paused">;

/** The results of the checks before a deployment. Each text says how to correct the fault. */
export interface Findings {
  /** Reasons not to deploy. */
  rejections: string[];
  warnings: string[];
}

/** A deployment with the templates of its release. */
export interface PlannedRelease extends Omit<PlannedDeployment, "isNew"> {
  /** The cloud assembly with the templates. */
  directory: string;
  /** Deploys stacks of the assembly with the CDK. @throws StageError when the CDK fails */
  deployStacks(ids: readonly string[], parameters?: Readonly<Record<string, string>>): Promise<void>;
}
