import { Metrics } from "@aws-lambda-powertools/metrics";
import type { MetricUnit } from "@aws-lambda-powertools/metrics/types";
import { type Measuring, metricNamespace } from "./metricSeries.ts";

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
