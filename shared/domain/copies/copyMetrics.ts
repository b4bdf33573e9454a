import { MetricUnit } from "@aws-lambda-powertools/metrics";
import { measuring } from "../../platform/aws/metrics.ts";

/** The metrics of the copies in the recovery region. */
export const copyMetrics = {
  /** Published by each run of the exporter: seconds of changes that the recovery region lacks. */
  age: { name: "ChangesUncopied", unit: MetricUnit.Seconds },
} as const;

export const { measure, publishMetrics } = measuring("copies", copyMetrics);
