import { readFileSync } from "node:fs";
import type { AwsSettings } from "../infra/stages/stages.ts";

/** How the emulator of AWS raises an alarm: the words of docs/operations/alarms.md. */
export type Raised = "by its metric" | "by its first metric" | "by hand" | "not there";

/** An alarm of the table in docs/operations/alarms.md. */
export interface AlarmRow {
  name: string;
  /** Namespace, name and statistic of each metric. */
  metrics: string[];
  raised: Raised;
}

/** Whether a stage has an alarm. A stage may lack a domain of its own, or another region for its copies. */
export const isThere = ({ name }: Pick<AlarmRow, "name">, { domain, recoveryRegion }: AwsSettings): boolean =>
  name === "certificate-expiring" ? domain !== undefined : recoveryRegion !== undefined || !/copies/.test(name);

/** The rows of the table, in order. */
export function alarmRows(): AlarmRow[] {
  const runbook = readFileSync(new URL("../docs/operations/alarms.md", import.meta.url), "utf8");
  const rows = runbook.matchAll(
    /^\| \[([a-z-]+)\]\(#\1\) \| (`.+`) \| (by its metric|by its first metric|by hand|not there) \|$/gm,
  );
  return [...rows].map(([, name = "", metrics = "", raised]) => ({
    name,
    metrics: [...metrics.matchAll(/`([^`]+)`/g)].map(([, metric = ""]) => metric),
    raised: raised as Raised,
  }));
}
