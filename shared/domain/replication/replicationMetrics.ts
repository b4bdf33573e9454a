import { MetricUnit } from "@aws-lambda-powertools/metrics";
import { measuring } from "../../platform/aws/metrics.ts";
import type { PosFailure } from "../../pos/connector.ts";
import type { WorkResult } from "./replicateCrb.ts";

/** The metrics of replication. Alarms and the dashboard use them. */
export const replicationMetrics = {
  /**
   * Published by the planner for each due kind of a CRB: seconds since its last successful replication, or since the
   * connection before the first one. `npm run operator -- replication list` names the CRB with the maximum.
   */
  age: { name: "ReplicationAge", unit: MetricUnit.Seconds },
  /** Published by each run of the planner: the number of requested replications, often 0. No value means that it does not run. */
  asked: { name: "ReplicationsAsked", unit: MetricUnit.Count },
  /**
   * A run that the POS rejected: the credentials (confirmed, and not the service's own fault), the permission for these
   * records, or the location. A person must act.
   */
  credentialsRefused: { name: "CredentialsRefused", unit: MetricUnit.Count },
  /** A run that was rejected like those of other CRBs of its POS type: the cause is the service's key, or the POS. */
  posTypeRefused: { name: "PosTypeRefused", unit: MetricUnit.Count },
  /** A run that ended because the POS could not be reached or gave no valid response. It is retried automatically. */
  posUnreachable: { name: "PosUnreachable", unit: MetricUnit.Count },
  /** A run that waits because the POS limits requests. */
  posLimited: { name: "PosLimited", unit: MetricUnit.Count },
  /** Published for each finished run: rejected records. */
  rejected: { name: "RecordsRejected", unit: MetricUnit.Count },
  /**
   * Published for each finished run of sales: the share of sales whose amounts do not match, such as lines and totals. A
   * misread field or a wrong unit shows in the first run.
   */
  mismatchedSums: { name: "OddSums", unit: MetricUnit.Percent },
  /**
   * Published for each finished run whose answer a later run must confirm: the number of inventory records that the POS
   * no longer names and that keep their quantity until then; 0 where a first full reading brought nothing.
   */
  unconfirmed: { name: "RecordsUnconfirmed", unit: MetricUnit.Count },
  /** Published for each finished run: created and changed records. */
  written: { name: "RecordsWritten", unit: MetricUnit.Count },
} as const;

export const { measure, publishMetrics } = measuring("replication", replicationMetrics);

/** Publishes the metrics of a result. */
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
