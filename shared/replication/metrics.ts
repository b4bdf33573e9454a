import { MetricUnit } from "@aws-lambda-powertools/metrics";
import { newMetrics, publish } from "../aws/metrics.ts";
import type { PosFailure } from "../pos/connector.ts";
import type { replicateCrb } from "./replicateCrb.ts";

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
  /** A run that the POS refused: the credentials, all or for these records, or the location. Somebody must act. */
  credentialsRefused: { name: "CredentialsRefused", unit: MetricUnit.Count },
  /** A run that ended because the POS could not be reached, or gave no proper answer. It is tried again by itself. */
  posUnreachable: { name: "PosUnreachable", unit: MetricUnit.Count },
  /** A run that waits because the POS asked to be left alone. */
  posLimited: { name: "PosLimited", unit: MetricUnit.Count },
  /** Told for each finished run: records of the POS that were set aside. */
  rejected: { name: "RecordsRejected", unit: MetricUnit.Count },
  /** Told for each finished run: records written, new or changed. */
  written: { name: "RecordsWritten", unit: MetricUnit.Count },
} as const;

const metrics = newMetrics("replication");

/** Notes one value, until `publishMetrics`. */
export function measure(metric: keyof typeof replicationMetrics, value: number): void {
  const { name, unit } = replicationMetrics[metric];
  metrics.addMetric(name, unit, value);
}

/** Notes what a run's end tells. */
export function measureResult(result: Awaited<ReturnType<typeof replicateCrb>>): void {
  if (result.outcome === "finished") {
    measure("rejected", result.rejected);
    measure("written", result.created + result.changed);
  } else if (result.outcome === "failed") measure(metricOf[result.failure], 1);
}

const metricOf: Readonly<Record<PosFailure, keyof typeof replicationMetrics>> = {
  credentialsRefused: "credentialsRefused",
  locationGone: "credentialsRefused",
  notPermitted: "credentialsRefused",
  limited: "posLimited",
  unreachable: "posUnreachable",
  notUnderstood: "posUnreachable",
};

/** Writes what was noted to the log. */
export const publishMetrics = (): void => publish(metrics);
