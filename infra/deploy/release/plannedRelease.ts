import type { StageName, StageSettings } from "../../stages/stages.ts";

/** A release that is to be deployed. */
export interface PlannedRelease {
  stage: StageName;
  settings: StageSettings;
  region: string;
  /** The cloud assembly with its templates. */
  directory: string;
  /** Whether all calls go to it at once, also where the stage has a canary. */
  atOnce: boolean;
  /** Deploys stacks of the assembly by the CDK's program. @throws StageError when that fails */
  deployStacks(ids: readonly string[], parameters?: Readonly<Record<string, string>>): Promise<void>;
}
