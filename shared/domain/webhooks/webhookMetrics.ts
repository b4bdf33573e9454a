import { MetricUnit } from "@aws-lambda-powertools/metrics";
import { measuring } from "../../platform/aws/metrics.ts";
import type { ShardResult } from "./deliverShard.ts";
import type { SweepResult } from "./sweepEndpoints.ts";

/** Metrics of deliveries. Alarms use them. */
export const webhookMetrics = {
  /**
   * Reported by each sweep: age in seconds of the oldest pending event, at endpoints without failures; often 0. Missing values
   * mean that no sweep ran.
   */
  age: { name: "WebhookBacklogAge", unit: MetricUnit.Seconds },
  /** Reported by each sweep: enabled endpoints with a failed attempt and no success since. */
  failing: { name: "WebhookEndpointsFailing", unit: MetricUnit.Count },
  /** Endpoints that the service disabled. */
  disabled: { name: "WebhookEndpointsDisabled", unit: MetricUnit.Count },
} as const;

export const { measure, publishMetrics } = measuring("webhooks", webhookMetrics);

export function measureResult(result: ShardResult): void {
  if (result.outcome === "disabled" && result.failure) measure("disabled", 1);
}

export function measureSweep({ failing, oldestSeconds }: SweepResult): void {
  measure("failing", failing);
  measure("age", oldestSeconds);
}
