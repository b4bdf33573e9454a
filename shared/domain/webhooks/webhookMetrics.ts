import { MetricUnit } from "@aws-lambda-powertools/metrics";
import { measuring } from "../../platform/aws/metrics.ts";
import type { ShardResult } from "./deliverShard.ts";
import type { SweepResult } from "./sweepEndpoints.ts";

/** What deliveries measure; alarms are built on it. */
export const webhookMetrics = {
  /**
   * Told by each sweep: seconds that the event has waited which has waited longest, at endpoints of which no attempt has failed;
   * often 0. No values: no sweep.
   */
  age: { name: "WebhookBacklogAge", unit: MetricUnit.Seconds },
  /** Told by each sweep: enabled endpoints of which an attempt has failed and none has succeeded since. */
  failing: { name: "WebhookEndpointsFailing", unit: MetricUnit.Count },
  /** An endpoint that the service has disabled. */
  disabled: { name: "WebhookEndpointsDisabled", unit: MetricUnit.Count },
} as const;

export const { measure, publishMetrics } = measuring("webhooks", webhookMetrics);

/** Notes what a message's end tells. */
export function measureResult(result: ShardResult): void {
  if (result.outcome === "disabled" && result.failure) measure("disabled", 1);
}

/** Notes what a sweep has found. */
export function measureSweep({ failing, oldestSeconds }: SweepResult): void {
  measure("failing", failing);
  measure("age", oldestSeconds);
}
