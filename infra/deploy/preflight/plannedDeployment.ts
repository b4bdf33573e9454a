import type { StageName, StageSettings } from "../../stages/stages.ts";

/** A deployment that the operator has requested. */
export interface PlannedDeployment {
  name: StageName;
  settings: StageSettings;
  region: string;
  /** Whether the stage does not exist yet. */
  isNew: boolean;
}

/** The results of the checks. Each text says what to do. */
export interface Findings {
  /** Reasons not to deploy. */
  rejections: string[];
  warnings: string[];
}
