import type { StageName, StageSettings } from "../../stages/stages.ts";

/** A deployment that the operator has requested. */
export interface PlannedDeployment {
  name: StageName;
  settings: StageSettings;
  region: string;
  isNew: boolean;
  /** Whether the stage is paused, and stays so. Its functions then need no concurrency. */
  paused: boolean;
}

/** The results of the checks. Each text says how to correct the fault. */
export interface Findings {
  /** Reasons not to deploy. */
  rejections: string[];
  warnings: string[];
}
