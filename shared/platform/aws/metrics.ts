import { Metrics } from "@aws-lambda-powertools/metrics";
import type { MetricUnit } from "@aws-lambda-powertools/metrics/types";

/** Under which the service's own metrics are found in CloudWatch, with `metricDimensions`. */
export const metricNamespace = "BusinessDataAccess";

/** What of the service measures something. */
export type Measuring = "replication" | "webhooks";

/**
 * The dimensions of every metric. None of them names a CRB or an endpoint: CloudWatch charges for each value of a dimension.
 */
export const metricDimensions = (service: Measuring, stage: string) => ({ service, stage });

/**
 * What notes values of a service's metrics, until they are written to the log, from where CloudWatch takes them (embedded
 * metric format).
 *
 * @param known its metrics, by the names that its own code has for them
 */
export function measuring<Metric extends string>(
  service: Measuring,
  known: Readonly<Record<Metric, { name: string; unit: MetricUnit }>>,
): { measure(metric: Metric, value: number): void; publishMetrics(): void } {
  const metrics = new Metrics({
    namespace: metricNamespace,
    serviceName: service,
    defaultDimensions: { stage: process.env.STAGE ?? "local" },
  });
  return {
    measure: (metric, value) => void metrics.addMetric(known[metric].name, known[metric].unit, value),
    publishMetrics: () => {
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}
