import type { StageName, StageSettings } from "../../stages/stages.ts";

export interface PlannedRelease {
  stage: StageName;
  settings: StageSettings;
  account: string;
  region: string;
  /** The concurrency limit of the account in the region; undefined for a stage without functions. */
  accountConcurrency: number | undefined;
  /** The cloud assembly with the templates. */
  directory: string;
  /** Whether the release gets all calls at once, without a canary. */
  atOnce: boolean;
  /** Whether the stage is paused, and stays so. */
  paused: boolean;
  /** Deploys stacks of the assembly with the CDK. @throws StageError when the CDK fails */
  deployStacks(ids: readonly string[], parameters?: Readonly<Record<string, string>>): Promise<void>;
}
