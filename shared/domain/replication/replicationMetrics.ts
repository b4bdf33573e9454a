import { MetricUnit } from "@aws-lambda-powertools/metrics";
import { measuring } from "../../platform/aws/metrics.ts";
import type { PosFailure } from "../../pos/connector.ts";
import type { WorkResult } from "./replicateCrb.ts";

/** The metrics of replication, for the alarms and the dashboard. */
export const replicationMetrics = {
  /**
   * Published by the planner for each due kind of a CRB: seconds since the last successful replication of the kind. Before the
   * first successful replication, the seconds count from the connection of the CRB. `npm run operator -- replication list`
   * names the CRB with the highest age.
   */
  age: { name: "ReplicationAge", unit: MetricUnit.Seconds },
  /**
   * Published by each run of the planner: the number of requested replications, often 0. No value means that no planner runs.
   */
  requested: { name: "ReplicationsRequested", unit: MetricUnit.Count },
  /**
   * Published by the planner every five minutes: the number of CRBs whose sales are late (`isLate`), and their share of all
   * CRBs that have had a first reading.
   */
  lateCrbs: { name: "LateCrbs", unit: MetricUnit.Count },
  lateShare: { name: "LateShare", unit: MetricUnit.Percent },
  /** Published by each run of the planner: seconds by which the earliest due replication is late. */
  lag: { name: "ReplicationLag", unit: MetricUnit.Seconds },
  /**
   * A run that the POS rejected because of the CRB: its credentials (after a second attempt), its permission for these records,
   * or its location. A person must act.
   */
  credentialsRefused: { name: "CredentialsRefused", unit: MetricUnit.Count },
  /**
   * A run that the POS rejected, like runs of other CRBs of the POS type at about the same time. The cause is the service's key
   * or the POS.
   */
  posTypeRefused: { name: "PosTypeRefused", unit: MetricUnit.Count },
  /** A run that ended because the POS could not be reached or returned no valid response. The service retries the run. */
  posUnreachable: { name: "PosUnreachable", unit: MetricUnit.Count },
  /** A run that ended because the POS limits requests. The service retries the run. */
  posLimited: { name: "PosLimited", unit: MetricUnit.Count },
  /** Published for each finished run that read records: the share of rejected records. */
  rejectedShare: { name: "RejectedShare", unit: MetricUnit.Percent },
  /** Published for each finished run: number of rejected records. */
  rejected: { name: "RecordsRejected", unit: MetricUnit.Count },
  /**
   * Published for each finished run of sales: the share of sales with mismatched amounts, such as lines that do not add up to
   * the total. If a connector misreads a field or its unit, the first run has a high share.
   */
  mismatchedSums: { name: "MismatchedSums", unit: MetricUnit.Percent },
  /**
   * Published for each finished run whose result a later run must confirm: the number of inventory records that the POS no
   * longer names. Until the confirmation these records keep their quantity. The value is 0 if a full reading got no records.
   */
  unconfirmed: { name: "RecordsUnconfirmed", unit: MetricUnit.Count },
  /** Published for each finished run: number of created and changed records. */
  written: { name: "RecordsWritten", unit: MetricUnit.Count },
} as const;

export const { measure, publishMetrics } = measuring("replication", replicationMetrics);

/** Publishes the metrics of a result. */
export function measureResult(result: WorkResult): void {
  if (result.outcome === "finished") {
    measure("rejected", result.rejected);
    if (result.read > 0) measure("rejectedShare", (100 * result.rejected) / result.read);
    measure("written", result.created + result.changed);
    if (result.unconfirmed) measure("unconfirmed", result.unconfirmed.records);
    if (result.compared) measure("mismatchedSums", (100 * (result.mismatched ?? 0)) / result.compared);
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
