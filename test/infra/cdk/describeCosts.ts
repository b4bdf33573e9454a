import { expect, test } from "vitest";
import { fixedUsage } from "../../../infra/constructs/measuredUsage.ts";
import { foreignRevocationsMetric } from "../../../shared/auth/revocationRights.ts";
import { copyMetrics } from "../../../shared/domain/copies/copyMetrics.ts";
import { failedExportsMetric } from "../../../shared/domain/exports/failedExports.ts";
import { lateInvitationsMetric } from "../../../shared/domain/invitations/requestUnsentInvitations.ts";
import { replicationMetrics } from "../../../shared/domain/replication/replicationMetrics.ts";
import { stateKeyRejectedMetric } from "../../../shared/domain/stateSystems/stateKeyMetric.ts";
import { webhookMetrics } from "../../../shared/domain/webhooks/webhookMetrics.ts";
import { damagedRecordsMetric } from "../../../shared/store/damagedRecords.ts";
import type { Assembled, Properties } from "./assembled.ts";

/** The cost calculation covers the deployed resources. */
export function describeCosts(assembled: () => Assembled): void {
  test("the fixed costs count the resources of prod", () => {
    const templates = Object.values(assembled().templates.prod);
    const count = (type: string) => templates.flatMap((template) => template.properties(type)).length;
    const alarms = templates.flatMap((template) => template.properties("CloudWatch::Alarm"));
    const metrics = alarms.map(({ Metrics }) =>
      Metrics ? Metrics.filter((metric: Properties) => metric.MetricStat).length : 1,
    );
    const [acl] = templates.flatMap((template) => template.properties("WAFv2::WebACL"));
    expect({
      webAcls: count("WAFv2::WebACL"),
      wafRules: acl?.Rules.length,
      keys: count("KMS::Key") + count("KMS::ReplicaKey"),
      // Each secret has a replica.
      secrets: templates
        .flatMap((template) => template.properties("SecretsManager::Secret"))
        .reduce((sum, { ReplicaRegions = [] }) => sum + 1 + ReplicaRegions.length, 0),
      alarmMetrics: metrics.reduce((sum, each) => sum + each, 0),
      dashboards: count("CloudWatch::Dashboard"),
      customMetrics: [
        replicationMetrics,
        webhookMetrics,
        copyMetrics,
        { damagedRecordsMetric, foreignRevocationsMetric },
        { failedExportsMetric, lateInvitationsMetric, stateKeyRejectedMetric },
        ...templates.map((template) => template.all("Logs::MetricFilter")),
      ].flatMap(Object.keys).length,
      // Each rule of replication has four metrics: waiting bytes and operations, failures, and delay.
      copyMetrics: templates
        .flatMap((template) => template.properties("S3::Bucket"))
        .flatMap(({ ReplicationConfiguration: { Rules = [] } = {} }) => Rules)
        .reduce((sum, { Destination }) => sum + (Destination.Metrics?.Status === "Enabled" ? 4 : 0), 0),
      workedOff: count("Lambda::EventSourceMapping"),
      scheduledAMinute: templates
        .flatMap((template) => template.properties("Scheduler::Schedule"))
        .reduce((sum, { ScheduleExpression: each }) => {
          const [, count, unit = ""] = /^rate\((\d+) (minute|hour)s?\)$/.exec(each) ?? [];
          return sum + 1 / (Number(count) * (unit === "hour" ? 60 : 1));
        }, 0),
    }).toEqual({ ...fixedUsage, scheduledAMinute: expect.closeTo(fixedUsage.scheduledAMinute, 10) });
  });
}
