/** The CloudWatch namespace of the service's own metrics. */
export const metricNamespace = "BusinessDataAccess";

/** The name of the service in the lines of the log. */
export const logServiceName = "business-data-access";

/** The parts of the service that have metrics; the whole service for metrics in lines of the log (`loggedCount`). */
export type Measuring = "replication" | "webhooks" | "copies" | typeof logServiceName;

/**
 * The dimensions of every metric. CRBs and webhook endpoints are not dimensions, because CloudWatch charges for each
 * value of a dimension.
 */
export const metricDimensions = (service: Measuring, stage: string) => ({ service, stage });

/**
 * Fields that make a line of the log count as 1 in a metric (embedded metric format). All functions can use them, because they
 * need no library. The line itself has the dimension `service`.
 */
export function loggedCount(name: string): Record<string, unknown> {
  const { service: _inLine, ...dimensions } = metricDimensions(logServiceName, process.env.STAGE ?? "local");
  const series = {
    Namespace: metricNamespace,
    Dimensions: [["service", ...Object.keys(dimensions)]],
    Metrics: [{ Name: name, Unit: "Count" }],
  };
  return { ...dimensions, [name]: 1, _aws: { Timestamp: Date.now(), CloudWatchMetrics: [series] } };
}
