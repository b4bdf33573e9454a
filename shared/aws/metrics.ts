import { Metrics } from "@aws-lambda-powertools/metrics";

/** Under which the service's own metrics are found in CloudWatch, with `metricDimensions`. */
export const metricNamespace = "BusinessDataAccess";

/** What of the service measures something. */
export type Measuring = "replication" | "webhooks";

/**
 * The dimensions of every metric. None of them names a CRB or an endpoint: CloudWatch charges for each value of a dimension.
 */
export const metricDimensions = (service: Measuring, stage: string) => ({ service, stage });

/** Takes values, which `publishMetrics` writes to the log. */
export const newMetrics = (service: Measuring): Metrics =>
  new Metrics({
    namespace: metricNamespace,
    serviceName: service,
    defaultDimensions: { stage: process.env.STAGE ?? "local" },
  });

/** Writes what was noted to the log, from where CloudWatch takes it (embedded metric format). */
export function publish(metrics: Metrics): void {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
}
