import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { standing } from "../../../infra/costs.ts";
import { stages } from "../../../infra/stages.ts";
import { replicationMetrics } from "../../../shared/replication/metrics.ts";
import type { Assembled, Properties } from "./assembled.ts";

/** What runs without a caller, and what watches it all. */
export function describeBackground(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the background of %s", (stage) => {
    const template = () => assembled().templates[stage].Background ?? expect.fail();

    test("has a queue with dead letters behind each worker", () => {
      for (const name of ["Replication", "Invitations"]) {
        const queue = template().one("SQS::Queue", `${name}Queue`);
        expect(queue.RedrivePolicy).toMatchObject({ maxReceiveCount: 5 });
        expect(JSON.stringify(queue.RedrivePolicy.deadLetterTargetArn)).toContain(`${name}DeadLetters`);
        expect(template().one("SQS::Queue", `${name}DeadLetters`).MessageRetentionPeriod).toBe(14 * 24 * 3600);
      }
    });

    test("works queues off one message at a time, so many at once, and returns what failed", () => {
      const { workers } = stages[stage].aws;
      const limits = template()
        .properties("Lambda::EventSourceMapping")
        .map((mapping) => {
          expect(mapping).toMatchObject({ BatchSize: 1, FunctionResponseTypes: ["ReportBatchItemFailures"] });
          return mapping.ScalingConfig.MaximumConcurrency;
        });
      expect(limits).toEqual([workers.replication, workers.invitations]);
    });

    test("gives a message to another worker only when the first has ended", () => {
      const timeout = (name: string) => template().one("Lambda::Function", name).Timeout;
      const visibility = (name: string) => template().one("SQS::Queue", name).VisibilityTimeout;
      expect(visibility("ReplicationQueue")).toBeGreaterThan(timeout("ReplicationWorker"));
      expect(visibility("InvitationsQueue")).toBeGreaterThan(timeout("InvitationSender"));
    });

    test("plans replications every minute, and sweeps", () => {
      const schedules = Object.fromEntries(
        template()
          .properties("Scheduler::Schedule")
          .map(({ Description, ScheduleExpression }) => [Description, ScheduleExpression]),
      );
      expect(schedules).toEqual({
        ReplicationPlanner: "rate(1 minute)",
        InvitationSweeper: "rate(5 minutes)",
        DocumentSweeper: "rate(15 minutes)",
      });
    });

    test("knows its settings", () => {
      const { Variables } = template().one("Lambda::Function", "ReplicationPlanner").Environment;
      expect(Variables).toMatchObject({
        POS_CONNECTORS: stage === "prod" ? "real" : "sandbox",
        REPLICATE_EVERY_SECONDS: JSON.stringify(stages[stage].replicateEverySeconds),
      });
      const worker = template().one("Lambda::Function", "ReplicationWorker").Environment.Variables;
      expect("POS_PARTNER_KEYS_SECRET" in worker).toBe(stage === "prod");
      expect(worker.SERVICE_KEY_SECRET).toBeDefined();
    });
  });

  describe.each(["sandbox", "prod"] as const)("the alarms of %s", (stage) => {
    const alarms = () => assembled().templates[stage].Monitoring?.properties("CloudWatch::Alarm") ?? [];
    const names = [
      "background-errors",
      "dead-letters-invitations",
      "dead-letters-replication",
      "function-throttles",
      "latency",
      "planner-silent",
      "pos-credentials-refused",
      "replication-age",
      "server-errors",
      "table-throttles",
    ];

    test("are those that an operator acts on", () => {
      expect(
        alarms()
          .map(({ AlarmName }) => AlarmName)
          .sort(),
      ).toEqual(names.map((name) => `business-data-${stage}-${name}`));
    });

    test("go to the topic, and say what to do and where the runbook does", () => {
      const runbook = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
      for (const { AlarmActions, AlarmDescription, AlarmName } of alarms()) {
        expect(AlarmActions).toEqual([{ Ref: expect.stringMatching(/^Topic/) }]);
        const name = AlarmName.replace(`business-data-${stage}-`, "");
        expect(AlarmDescription).toMatch(new RegExp(`^[A-Z].+ See "${name}" in docs/operations\\.md\\.$`));
        expect(runbook, name).toMatch(new RegExp(`^### ${name}$`, "m"));
      }
    });

    test("see that every one of a few calls fails, and no alarm in a single failure among them", () => {
      const alarm = alarms().find(({ AlarmName }) => AlarmName.endsWith("-server-errors")) ?? expect.fail();
      const { Expression } = alarm.Metrics.find((metric: Properties) => metric.Expression);
      // Metric math is JavaScript here.
      const share = new Function("calls", "errors", "IF", `return ${Expression}`);
      const alarmed = (calls: number, errors: number) =>
        share(calls, errors, (yes: boolean, one: number, other: number) => (yes ? one : other)) >= alarm.Threshold;
      expect(alarmed(50, 50)).toBe(true);
      expect(alarmed(5, 5)).toBe(true);
      expect(alarmed(1_000, 10)).toBe(true);
      for (const [calls, errors] of [
        [0, 0],
        [10, 1],
        [1_000, 6],
      ] as const) {
        expect(alarmed(calls, errors), `${errors} of ${calls}`).toBe(false);
      }
    });

    test("tell silence from health where nothing is heard", () => {
      const silent = alarms().filter(({ TreatMissingData }) => TreatMissingData === "breaching");
      expect(silent.map(({ AlarmName }) => AlarmName)).toEqual([`business-data-${stage}-planner-silent`]);
    });

    test("are on the dashboard", () => {
      const { DashboardBody } = assembled().templates[stage].Monitoring?.one("CloudWatch::Dashboard") ?? expect.fail();
      for (const name of names) expect(JSON.stringify(DashboardBody)).toContain(name);
    });
  });

  test("what stands in prod is counted in the costs", () => {
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
      keys: count("KMS::Key"),
      secrets: count("SecretsManager::Secret"),
      alarmMetrics: metrics.reduce((sum, each) => sum + each, 0),
      dashboards: count("CloudWatch::Dashboard"),
      customMetrics: Object.keys(replicationMetrics).length,
    }).toEqual(standing);
  });
}
