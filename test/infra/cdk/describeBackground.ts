import { readFileSync } from "node:fs";
import { App, Stack } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { RestApi } from "aws-cdk-lib/aws-apigateway";
import { Topic } from "aws-cdk-lib/aws-sns";
import { describe, expect, test } from "vitest";
import { Alarms } from "../../../infra/monitoring/alarms.ts";
import { apiAlarms } from "../../../infra/monitoring/apiAlarms.ts";
import { messagesAtOnce } from "../../../infra/stacks/background.ts";
import type { DeployedStage } from "../../../infra/stages/deployedStage.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { alarmRows, isThere } from "../../alarms.ts";
import { type Assembled, type Properties, Template } from "./assembled.ts";

const page = "docs/operations/alarms.md";

/** Whether a period with these sums counts for an alarm on a share of calls. */
export function countsFor(alarm: Properties, sums: Record<string, number>): boolean {
  const { Expression } = alarm.Metrics.find((metric: Properties) => metric.Expression);
  // Metric math is valid JavaScript here.
  const share = new Function("IF", ...Object.keys(sums), `return ${Expression}`);
  const choose = (yes: boolean, one: number, other: number) => (yes ? one : other);
  return share(choose, ...Object.values(sums)) >= alarm.Threshold;
}

/** The functions without a caller, and the alarms of all stacks. */
export function describeBackground(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the background of %s", (stage) => {
    const template = () => assembled().templates[stage].Background ?? expect.fail();
    const workers = () => assembled().templates[stage].Workers ?? expect.fail();

    test("has threads for slow DNS lookups, which can take longer than the attempts that wait for them", () => {
      const { Variables } = workers().one("Lambda::Function", "WebhookDeliverer").Environment;
      expect(Number(Variables.UV_THREADPOOL_SIZE)).toBeGreaterThanOrEqual(3 * messagesAtOnce);
    });

    test("gets no messages while the stage is paused", () => {
      for (const { Enabled } of workers().properties("Lambda::EventSourceMapping"))
        expect(Enabled).toEqual({ "Fn::If": ["IsPaused", false, true] });
    });

    test("makes a message visible again only after its worker's timeout", () => {
      const timeout = (name: string) => workers().one("Lambda::Function", name).Timeout;
      const visibility = (name: string) => template().one("SQS::Queue", name).VisibilityTimeout;
      expect(visibility("ReplicationQueue")).toBeGreaterThan(timeout("ReplicationWorker"));
      expect(visibility("RestorationsQueue")).toBeGreaterThan(timeout("RestorationWorker"));
      expect(visibility("InvitationsQueue")).toBeGreaterThan(timeout("InvitationSender"));
      expect(visibility("WebhooksQueue")).toBeGreaterThan(timeout("WebhookDeliverer"));
      expect(visibility("ExportsQueue")).toBeGreaterThan(timeout("ExportWorker"));
      expect(visibility("StatementsQueue")).toBeGreaterThan(timeout("StatementWorker"));
    });
  });

  describe.each(["sandbox", "prod"] as const)("the alarms of %s", (stage) => {
    const alarms = () =>
      Object.values(assembled().templates[stage]).flatMap((template) => template.properties("CloudWatch::Alarm"));
    /** The alarms that the pager gets. */
    const paged = () =>
      alarms()
        .filter(({ AlarmActions }) => JSON.stringify(AlarmActions).includes("Pager"))
        .map(({ AlarmName }) => AlarmName.replace(`business-data-${stage}-`, ""));
    const names = alarmRows()
      .filter((row) => isThere(row, stages[stage].aws))
      .map(({ name }) => name)
      .sort();

    test("send to the topic, and say what to do in the same words as the runbook", () => {
      for (const { AlarmActions, OKActions, AlarmDescription, AlarmName } of alarms()) {
        expect(JSON.stringify(AlarmActions)).toMatch(
          /^\[\{("Ref":"Topic|"Fn::GetStackOutput":.*?"PublishOutputRefTopic)\w+".*?\}(,\{.*"(PublishOutputRef)?Pager.*)?\]$/,
        );
        expect(OKActions).toEqual(AlarmActions);
        const name = AlarmName.replace(`business-data-${stage}-`, "");
        expect(AlarmDescription).toMatch(new RegExp(`^[A-Z].+ See docs/operations/alarms\\.md#${name}$`));
      }
    });

    test("have a paragraph in the runbook that explains them in four parts", () => {
      for (const { AlarmDescription } of alarms()) {
        const [, path = "", name = ""] = / See (docs\/operations\/\S+\.md)#(\S+)$/.exec(AlarmDescription) ?? [];
        const [, paragraph = ""] = readFileSync(path, "utf8").split(`\n## ${name}\n`);
        const parts = paragraph.split("\n## ")[0]?.match(/^\*\*[A-Z].*?\*\*/gm);
        expect(
          parts?.map((part) => part.replaceAll(/[*:]/g, "")),
          name,
        ).toEqual(["What it means", "Look at", "Do", "When to wake a colleague"]);
      }
    });

    test("are in the runbook's index, which says whether they can wait", () => {
      const index = readFileSync("docs/operations/README.md", "utf8");
      const rows = [...index.matchAll(/^\| \[(.+)\]\(alarms\.md#\1\) \| (now|next working day) \| .+ \|$/gm)];
      const urgency = Object.fromEntries(rows.map(([, name = "", act]) => [name, act]));
      expect(Object.keys(urgency)).toEqual(expect.arrayContaining(names));
      for (const name of names) expect(urgency[name], name).toBe(paged().includes(name) ? "now" : "next working day");
    });

    test("watch only this stage, except for metrics of the whole account", () => {
      for (const { AlarmName, Metrics, Namespace, MetricName, Dimensions = [] } of alarms()) {
        const stats = Metrics?.flatMap(({ MetricStat }: Properties) => (MetricStat ? [MetricStat.Metric] : [])) ?? [];
        for (const metric of MetricName ? [{ Namespace, Dimensions }] : stats) {
          if (/-(account-concurrency|mail-bounces|mail-complaints)$/.test(AlarmName)) continue;
          const own = JSON.stringify([metric.Namespace, metric.Dimensions]);
          const ofStage = new RegExp(`"Ref"|GetAtt|GetStackOutput|"(business-data-|BusinessDataAccess/)?${stage}["-]`);
          expect(own, AlarmName).toMatch(ofStage);
        }
      }
    });

    test("see the age of every kind within one period, even of the kind with the longest interval", () => {
      const { Period, EvaluationPeriods, Threshold } =
        alarms().find(({ AlarmName }) => AlarmName.endsWith("-replication-age")) ?? expect.fail();
      const slowest = Math.max(...Object.values(stages[stage].replicateEverySeconds));
      expect({ EvaluationPeriods, Threshold }).toEqual({ EvaluationPeriods: 1, Threshold: 3 * slowest });
      // An interval may by chance be a tenth longer, and the planner runs each minute.
      expect(Period).toBeGreaterThanOrEqual(1.1 * slowest + 60);
      expect(Period % 60).toBe(0);
    });

    const alarmOf = (name: string) => alarms().find(({ AlarmName }) => AlarmName.endsWith(`-${name}`)) ?? expect.fail();
    test.each([
      [50, 50, true],
      [5, 5, true],
      [1_000, 10, true],
      [0, 0, false],
      [10, 1, false],
      [1_000, 6, false],
    ])("react to %i calls with %i failures, by share or if all of a few fail: %s", (calls, errors, alarmed) => {
      expect(countsFor(alarmOf("server-errors"), { calls, errors })).toBe(alarmed);
    });

    test.each([
      [300, 300, true],
      [3_000, 300, true],
      [100_000, 10_000, true],
      // A person who tries calls out.
      [299, 299, false],
      // One faulty caller among many.
      [100_000, 1_000, false],
      [0, 0, false],
    ])("react to %i calls with %i rejections, if they are many and a large share: %s", (calls, refused, alarmed) => {
      const alarm = alarmOf("client-errors");
      expect(countsFor(alarm, { calls, refused })).toBe(alarmed);
      expect(alarm.EvaluationPeriods).toBe(2);
      const metrics = alarm.Metrics.flatMap(({ Id, MetricStat }: Properties) =>
        MetricStat ? [[Id, MetricStat.Metric.MetricName, MetricStat.Stat, MetricStat.Period]] : [],
      );
      expect(metrics.sort()).toEqual([
        ["calls", "Count", "Sum", 300],
        ["refused", "4XXError", "Sum", 300],
      ]);
    });

    test.each([
      [5, 1, true],
      [50, 0.5, false],
      [4, 40, false],
      // A stage with few businesses.
      [2, 50, true],
      [4, 100, true],
      [1, 100, false],
    ])("react to %i businesses with late sales, if they are %d in 100: %s", (late, share, alarmed) => {
      expect(countsFor(alarmOf("crbs-late"), { late, share })).toBe(alarmed);
    });

    test.each([
      [5, 100, true],
      [5, 10, true],
      [5, 1, false],
      [4, 100, false],
    ])("react to %i failing endpoints, if they are %i in 100: %s", (failing, share, alarmed) => {
      expect(countsFor(alarmOf("webhook-endpoints-failing"), { failing, share })).toBe(alarmed);
    });

    test.each([
      [300, 3_001, 200, true],
      [299, 9_000, 200, false],
      [30, 9_000, 3_001, true],
      // A slow call or two at night.
      [29, 9_000, 9_000, false],
    ])(
      "react to %i calls, if the slowest hundredth takes %i ms and the slowest tenth %i ms: %s",
      (calls, p99, p90, alarmed) => {
        expect(countsFor(alarmOf("latency"), { calls, p99, p90 })).toBe(alarmed);
      },
    );

    test.each([
      [79, false],
      [80, true],
    ])("react to replication workers that are busy for %i %% of an hour: %s", (percent, alarmed) => {
      const alarm = alarmOf("replication-capacity");
      const busy = stages[stage].aws.workers.replication * 3_600_000 * (percent / 100);
      expect(countsFor(alarm, { busy })).toBe(alarmed);
      const [{ MetricStat } = expect.fail()] = alarm.Metrics.filter((metric: Properties) => metric.MetricStat);
      expect(MetricStat).toMatchObject({ Metric: { MetricName: "Duration" }, Stat: "Sum", Period: 3600 });
      expect(JSON.stringify(MetricStat.Metric.Dimensions)).toContain('"ReplicationWorker');
    });

    test("count the blocked calls of all WAF rules, separately for rules with 429 and rules of AWS", () => {
      const { Rules, VisibilityConfig } = assembled().templates[stage].Api?.one("WAFv2::WebACL") ?? expect.fail();
      const watched = (name: string) => {
        const alarm = alarmOf(name);
        expect(alarm.Metrics.find((metric: Properties) => metric.Expression).Expression).toBe("SUM(METRICS())");
        return alarm.Metrics.flatMap(({ MetricStat }: Properties) => {
          if (!MetricStat) return [];
          const { Namespace, MetricName, Dimensions } = MetricStat.Metric;
          expect([Namespace, MetricName, MetricStat.Stat]).toEqual(["AWS/WAFV2", "BlockedRequests", "Sum"]);
          const { WebACL, Region, Rule, ...others } = Object.fromEntries(
            Dimensions.map(({ Name, Value }: Properties) => [Name, Value]),
          );
          expect([WebACL, Region]).toEqual([VisibilityConfig.MetricName, { Ref: "AWS::Region" }]);
          expect(others).toEqual({});
          return [Rule];
        });
      };
      const named = (answers429: boolean) =>
        Rules.filter(({ Action }: Properties) => (Action !== undefined) === answers429).map(
          (rule: Properties) => rule.VisibilityConfig.MetricName,
        );
      expect(watched("blocked-by-limits")).toEqual(named(true));
      expect(watched("blocked-by-rules")).toEqual(named(false));
      expect([...named(true), ...named(false)]).toHaveLength(Rules.length);
    });

    test("are on the dashboard", () => {
      const { DashboardBody } = assembled().templates[stage].Api?.one("CloudWatch::Dashboard") ?? expect.fail();
      const body = JSON.stringify(DashboardBody);
      for (const name of names) {
        const where = name === "journal-copies-late" ? ":us-east-2:123456789012" : "";
        expect(body).toContain(`${where}:alarm:business-data-${stage}-${name}`);
        expect(body).toContain(`[${name}](${page}#${name})`);
      }
      // The questions that the dashboard answers, each with its metrics.
      for (const answer of [
        ...[
          "100 * (1 - errors / calls)",
          "LateShare",
          "ReplicationAge",
          "PosUnreachable",
          "CredentialsRefused",
          "stats count(*) as errors by method, route, status",
        ],
        ...["Latency", "ReadThrottleEvents", "Throttles", "ApproximateAgeOfOldestMessage", "WebhookBacklogAge"],
        ...["BlockedRequests", "EstimatedCharges"],
        ...(stage === "prod" ? ["NumberOfCopyJobsCompleted", "ReplicationLatency"] : []),
      ]) {
        expect(body).toContain(answer);
      }
    });
  });

  test("a stage with its own domain has an alarm on its certificate, which names the page of the runbook", () => {
    const settings: StageSettings = stages.sandbox;
    const certificateArn = "arn:aws:acm:us-west-2:123456789012:certificate/1";
    const aws = { ...stages.sandbox.aws, domain: { name: "api.example.org", certificateArn } };
    const stack = new Stack(new App(), "Named");
    const stage: DeployedStage = { name: "sandbox", settings, aws, bundles: "", release: "1.0.0" };
    const api = new RestApi(stack, "Api");
    api.root.addMethod("GET");
    new Alarms(stage, { all: new Topic(stack, "Topic"), pager: new Topic(stack, "Pager") }).add(
      stack,
      apiAlarms(stage, api),
    );
    const named = new Template(Synthesized.fromStack(stack).toJSON());
    expect(named.one("CloudWatch::Alarm", "certificateexpiring")).toMatchObject({
      Namespace: "AWS/CertificateManager",
      MetricName: "DaysToExpiry",
      Dimensions: [{ Name: "CertificateArn", Value: certificateArn }],
      Statistic: "Minimum",
      Threshold: 30,
      ComparisonOperator: "LessThanOrEqualToThreshold",
      // CloudWatch publishes nothing about an expired certificate.
      TreatMissingData: "ignore",
    });
    expect(readFileSync(page, "utf8")).toMatch(/^## certificate-expiring$/m);
  });
}
