import { Metrics } from "@aws-lambda-powertools/metrics";
import type { MetricUnit } from "@aws-lambda-powertools/metrics/types";

/** The CloudWatch namespace of the service's own metrics. */
export const metricNamespace = "BusinessDataAccess";

/** The parts of the service that have metrics. */
export type Measuring = "replication" | "webhooks" | "copies";

/**
 * The dimensions of every metric. CRBs and webhook endpoints are not dimensions, because CloudWatch charges for each
 * value of a dimension.
 */
export const metricDimensions = (service: Measuring, stage: string) => ({ service, stage });

/**
 * Collects the metric values of one part of the service. `publishMetrics` writes them to the log in embedded metric
 * format, and CloudWatch reads them there.
 *
 * @param known the metrics of this part, by their names in the code
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
