import { MetricUnit } from "@aws-lambda-powertools/metrics";
import { measuring } from "../../platform/aws/metrics.ts";
import type { ShardResult } from "./deliverShard.ts";
import type { SweepResult } from "./sweepEndpoints.ts";

/** The metrics of deliveries, for the alarms. */
export const webhookMetrics = {
  /**
   * Reported by each sweep: age in seconds of the oldest pending event, at endpoints without failures; often 0. If the metric
   * has no value, no sweep ran.
   */
  age: { name: "WebhookBacklogAge", unit: MetricUnit.Seconds },
  /** Reported by each sweep: enabled endpoints with a failed attempt and no success since. */
  failing: { name: "WebhookEndpointsFailing", unit: MetricUnit.Count },
  /** Reported by each sweep: their share among the endpoints that it checked. */
  failingShare: { name: "WebhookEndpointsFailingShare", unit: MetricUnit.Percent },
  /** Number of endpoints that the service disabled. */
  disabled: { name: "WebhookEndpointsDisabled", unit: MetricUnit.Count },
} as const;

export const { measure, publishMetrics } = measuring("webhooks", webhookMetrics);

export function measureResult(result: ShardResult): void {
  if (result.outcome === "disabled" && result.failure) measure("disabled", 1);
}

export function measureSweep({ endpoints, failing, oldestSeconds }: SweepResult): void {
  measure("failing", failing);
  measure("failingShare", endpoints === 0 ? 0 : (100 * failing) / endpoints);
  measure("age", oldestSeconds);
}
