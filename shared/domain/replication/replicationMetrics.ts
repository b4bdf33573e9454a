import { MetricUnit } from "@aws-lambda-powertools/metrics";
import { measuring } from "../../platform/aws/metrics.ts";
import type { PosFailure } from "../../pos/connector.ts";
import type { WorkResult } from "./replicateCrb.ts";

/** What replication measures; alarms and the dashboard are built on it. */
export const replicationMetrics = {
  /**
   * Told by the planner for every kind of records of every CRB whenever its turn comes: seconds since its last
   * replication succeeded, or since the connection before the first. The maximum is that of the CRB that waits longest,
   * which `npm run operator -- replication list` names.
   */
  age: { name: "ReplicationAge", unit: MetricUnit.Seconds },
  /** Told by the planner each time: how many replications it asked for, often 0. No values: it does not run. */
  asked: { name: "ReplicationsAsked", unit: MetricUnit.Count },
  /**
   * A run that the POS refused: the credentials, once that is confirmed and not the service's own fault, or for these
   * records only, or the location. Somebody must act.
   */
  credentialsRefused: { name: "CredentialsRefused", unit: MetricUnit.Count },
  /** A run that was refused as those of other businesses of its POS type are: it is the service's own key, or the POS. */
  posTypeRefused: { name: "PosTypeRefused", unit: MetricUnit.Count },
  /** A run that ended because the POS could not be reached, or gave no proper answer. It is tried again by itself. */
  posUnreachable: { name: "PosUnreachable", unit: MetricUnit.Count },
  /** A run that waits because the POS asked to be left alone. */
  posLimited: { name: "PosLimited", unit: MetricUnit.Count },
  /** Told for each finished run: records of the POS that were rejected. */
  rejected: { name: "RecordsRejected", unit: MetricUnit.Count },
  /**
   * Told for each finished run that read sales: the share of those whose amounts do not go together, such as lines and
   * totals. A field that is misread, or a wrong unit, shows in the first run.
   */
  mismatchedSums: { name: "OddSums", unit: MetricUnit.Percent },
  /**
   * Published for each finished run whose answer a later run must confirm: the number of inventory records that the POS
   * no longer names and that keep their quantity until then; 0 where a first full reading brought nothing.
   */
  unconfirmed: { name: "RecordsUnconfirmed", unit: MetricUnit.Count },
  /** Told for each finished run: records written, new or changed. */
  written: { name: "RecordsWritten", unit: MetricUnit.Count },
} as const;

export const { measure, publishMetrics } = measuring("replication", replicationMetrics);

/** Notes what a run's end tells. */
export function measureResult(result: WorkResult): void {
  if (result.outcome === "finished") {
    measure("rejected", result.rejected);
    measure("written", result.created + result.changed);
    if (result.unconfirmed) measure("unconfirmed", result.unconfirmed.records);
    if (result.compared) measure("mismatchedSums", (100 * (result.odd ?? 0)) / result.compared);
  } else if (result.outcome === "failed") {
    if (result.rejection === "service") measure("posTypeRefused", 1);
    else if (result.failure !== "credentialsRefused" || result.rejection === "own")
      measure(metricOf[result.failure], 1);
  }
}

const metricOf: Readonly<Record<PosFailure, keyof typeof replicationMetrics>> = {
  credentialsRefused: "credentialsRefused",
  locationGone: "credentialsRefused",
  notPermitted: "credentialsRefused",
  limited: "posLimited",
  unreachable: "posUnreachable",
  notUnderstood: "posUnreachable",
};
