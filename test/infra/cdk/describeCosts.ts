import { expect, test } from "vitest";
import { fixedUsage } from "../../../infra/constructs/measuredUsage.ts";
import { prices } from "../../../infra/tools/costs/prices.ts";
import { freeTypes, pricesOfTypes } from "../../../infra/tools/costs/resourceTypes.ts";
import { foreignRevocationsMetric } from "../../../shared/auth/revocationRights.ts";
import { copyMetrics } from "../../../shared/domain/copies/copyMetrics.ts";
import { replicationMetrics } from "../../../shared/domain/replication/replicationMetrics.ts";
import { webhookMetrics } from "../../../shared/domain/webhooks/webhookMetrics.ts";
import { damagedRecordsMetric } from "../../../shared/store/damagedRecords.ts";
import type { Assembled, Properties } from "./assembled.ts";

/** The cost calculation covers the deployed resources. */
export function describeCosts(assembled: () => Assembled): void {
  test("each type of resource of every stage has a price, or is listed as free", () => {
    const templates = Object.values(assembled().templates).flatMap((stacks) => Object.values(stacks));
    const types = new Set(templates.flatMap(({ json }) => Object.values(json.Resources).map(({ Type }) => Type)));
    const priced = new Set(Object.keys(pricesOfTypes));
    const free = new Set(Object.keys(freeTypes));
    expect([...priced.intersection(free)]).toEqual([]);
    expect([...types.difference(priced).difference(free)]).toEqual([]);
    // The lists have no types beyond the templates, except those that a setting adds: a domain, cost monitoring, an identity
    // in SES.
    expect([...priced.union(free).difference(types)]).toEqual([
      "AWS::ApiGateway::BasePathMapping",
      "AWS::ApiGateway::DomainName",
      "AWS::CE::AnomalyMonitor",
      "AWS::CE::AnomalySubscription",
      "AWS::SES::EmailIdentity",
    ]);
    expect(new Set(Object.values(pricesOfTypes).flat())).toEqual(new Set(Object.keys(prices)));
  });

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
    }).toEqual(fixedUsage);
  });
}
