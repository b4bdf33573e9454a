import { afterEach, describe, expect, test, vi } from "vitest";
import { concurrencyThreshold } from "../../../infra/constructs/releaseParameters.ts";
import { type BackgroundFunction, background } from "../../../infra/stacks/background.ts";
import { stages } from "../../../infra/stages/stages.ts";
import { copyMetrics } from "../../../shared/domain/copies/copyMetrics.ts";
import { replicationMetrics } from "../../../shared/domain/replication/replicationMetrics.ts";
import { webhookMetrics } from "../../../shared/domain/webhooks/webhookMetrics.ts";
import { tableIndexes } from "../../../shared/store/schema.ts";
import { type StoredConnection, toConnections } from "../../../shared/store/stateConnections.ts";
import { alarmRows, isThere } from "../../alarms.ts";
import type { Assembled, Properties, Template } from "./assembled.ts";

type Dimensions = Readonly<Record<string, unknown>>;

/** The namespace, name and dimensions of a metric. An alarm on a series that nothing publishes would never go off. */
const seriesOf = (namespace: string, name: string, dimensions: Dimensions): string =>
  JSON.stringify([namespace, name, Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1))]);

const everySeries = (namespace: string, names: readonly string[], of: readonly Dimensions[]): string[] =>
  of.flatMap((dimensions) => names.map((name) => seriesOf(namespace, name, dimensions)));

/** The metrics that AWS publishes about the resources of a stage, with the documented names and dimensions. */
function recordedByAws({ Data, Recovery, Background, Api, Workers }: Record<string, Template>): string[] {
  const ids = (template: Template | undefined, type: string) => Object.keys(template?.all(type) ?? {});
  const tables = ids(Data, "DynamoDB::Table").flatMap((Ref) => [
    { TableName: { Ref } },
    ...Object.keys(tableIndexes).map((index) => ({ TableName: { Ref }, GlobalSecondaryIndexName: index })),
  ]);
  const queues = ids(Background, "SQS::Queue").map((id) => ({ QueueName: { "Fn::GetAtt": [id, "QueueName"] } }));
  const functions = ids(Workers, "Lambda::Function").map((Ref) => ({ FunctionName: { Ref } }));
  const apis = Api?.properties("ApiGateway::RestApi").map(({ Name: ApiName }) => ({ ApiName })) ?? [];
  const rules = Api?.properties("WAFv2::WebACL").flatMap(({ Rules, VisibilityConfig: { MetricName: WebACL } }) =>
    Rules.map(({ VisibilityConfig }: Properties) => VisibilityConfig)
      .filter(({ CloudWatchMetricsEnabled }: Properties) => CloudWatchMetricsEnabled)
      .map(({ MetricName: Rule }: Properties) => ({ WebACL, Rule, Region: { Ref: "AWS::Region" } })),
  );
  const streams = Data?.properties("KinesisFirehose::DeliveryStream").map(({ DeliveryStreamName }) => ({
    DeliveryStreamName,
  }));
  const [plan, vaultThere] = [Data?.properties("Backup::BackupPlan")[0], Recovery?.one("Backup::BackupVault")];
  const [vaultHere] = Data?.properties("Backup::BackupVault") ?? [];
  // A copy counts for the vault that receives it.
  const copies = vaultThere && plan ? [{ BackupVaultName: vaultThere.BackupVaultName }] : [];
  const replicated = Object.entries(Data?.all("S3::Bucket") ?? {}).flatMap(([Ref, { Properties }]) =>
    (Properties.ReplicationConfiguration?.Rules ?? [])
      .filter(({ Destination }: Properties) => Destination.Metrics?.Status === "Enabled")
      .map(({ Id: RuleId, Destination }: Properties) => ({
        SourceBucket: { Ref },
        DestinationBucket: JSON.stringify(Destination.Bucket).match(/:s3:::([^"]+)"/)?.[1],
        RuleId,
      })),
  );
  return [
    ...everySeries(
      "AWS/Backup",
      ["Failed", "Aborted", "Expired"].map((state) => `NumberOfBackupJobs${state}`),
      vaultHere ? [{ BackupVaultName: vaultHere.BackupVaultName }] : [],
    ),
    ...everySeries("AWS/Backup", ["NumberOfCopyJobsFailed"], copies),
    ...everySeries(
      "AWS/Backup",
      ["NumberOfCopyJobsCompleted"],
      copies.flatMap((vault) => ["DynamoDB", "S3"].map((ResourceType) => ({ ...vault, ResourceType }))),
    ),
    ...everySeries("AWS/S3", ["OperationsFailedReplication", "ReplicationLatency"], replicated),
    ...everySeries("AWS/DynamoDB", ["ReadThrottleEvents", "WriteThrottleEvents"], tables),
    ...everySeries("AWS/SQS", ["ApproximateNumberOfMessagesVisible", "ApproximateAgeOfOldestMessage"], queues),
    ...everySeries("AWS/Lambda", ["Errors", "Throttles", "Duration"], functions),
    // Metrics of the whole account in the region.
    ...everySeries("AWS/Lambda", ["ClaimedAccountConcurrency"], [{}]),
    ...everySeries("AWS/SES", ["Reputation.BounceRate", "Reputation.ComplaintRate"], [{}]),
    ...everySeries("AWS/ApiGateway", ["Count", "4XXError", "5XXError", "Latency"], apis),
    ...everySeries("AWS/Firehose", ["DeliveryToS3.DataFreshness", "DeliveryToS3.Records"], streams ?? []),
    ...[Api, Data]
      .flatMap((template) => template?.properties("Logs::MetricFilter") ?? [])
      .flatMap(({ MetricTransformations }) => MetricTransformations)
      .flatMap(({ MetricNamespace, MetricName }: Properties) => everySeries(MetricNamespace, [MetricName], [{}])),
    ...everySeries("AWS/WAFV2", ["BlockedRequests"], rules ?? []),
  ];
}

/** The metrics that the functions of a stage publish, taken from their log lines (embedded metric format). */
async function recordedByFunctions(stage: string): Promise<string[]> {
  vi.stubEnv("STAGE", stage);
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  vi.stubEnv("POWERTOOLS_LOG_LEVEL", "ERROR");
  vi.resetModules();
  let printed = "";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      printed += String(chunk);
      return true;
    });
  }
  const replication = await import("../../../shared/domain/replication/replicationMetrics.ts");
  for (const key of Object.keys(replicationMetrics)) replication.measure(key as keyof typeof replicationMetrics, 1);
  replication.publishMetrics();
  const webhooks = await import("../../../shared/domain/webhooks/webhookMetrics.ts");
  for (const key of Object.keys(webhookMetrics)) webhooks.measure(key as keyof typeof webhookMetrics, 1);
  webhooks.publishMetrics();
  const copies = await import("../../../shared/domain/copies/copyMetrics.ts");
  for (const key of Object.keys(copyMetrics)) copies.measure(key as keyof typeof copyMetrics, 1);
  copies.publishMetrics();
  const exports = await import("../../../shared/domain/exports/failedExports.ts");
  exports.reportFailedExport({ crb_id: "1", export_id: "2" }, "unexpected");
  const invitations = await import("../../../shared/domain/invitations/requestUnsentInvitations.ts");
  invitations.reportLateInvitations(1);
  const states = await import("../../../shared/domain/stateSystems/stateKeyMetric.ts");
  const refused = { state: "CO", error: "key_refused", readAt: null } as StoredConnection;
  const connections = ["1", "2"].map((crbId) => toConnections({ pk: "", sk: crbId, licenses: { number: refused } }));
  states.reportRejectingStates(connections, new Date());
  const records = await import("../../../shared/store/damagedRecords.ts");
  records.reportDamage("CRB#1#SALE", "1");
  const rights = await import("../../../shared/auth/revocationRights.ts");
  const given = { owner: { kind: "serviceProvider" as const, id: "1" }, sp_id: "1", scopes: [], created_at: "" };
  const revoked = { ...given, revoked_at: new Date(0).toISOString(), revoked_by: "3" };
  const both = ["1", "2"].map((client_id) => ({ ...revoked, client_id }));
  rights.reportForeignRevocations(both, ["2"], new Date(0));
  vi.restoreAllMocks();
  const lines = printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines.flatMap((line) =>
    line._aws.CloudWatchMetrics.flatMap(({ Namespace, Metrics, Dimensions }: Properties) =>
      everySeries(
        Namespace,
        Metrics.map(({ Name }: Properties) => Name),
        Dimensions.map((names: string[]) => Object.fromEntries(names.map((name) => [name, line[name]]))),
      ),
    ),
  );
}

/** The functions of schedules. The exporter of changes has an alarm on its own metric, which only some stages have. */
const scheduled = Object.values<BackgroundFunction>(background)
  .filter(({ minutes, handler }) => minutes !== undefined && handler !== "copies/exporter")
  .map(({ handler }) => handler);

/** Every alarm watches a metric that is published. */
export function describeAlarmMetrics(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the metrics that alarms of %s watch", (stage) => {
    afterEach(() => {
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
    });

    /**
     * Values that stacks get by an output of the data stack, or in another region by a parameter, stand for the resources
     * themselves.
     */
    const resolved = (value: Properties | string): unknown => {
      if (typeof value === "string") return value;
      const outputs = Object.entries(assembled().templates[stage].Data?.json.Outputs ?? {});
      const { Ref, "Fn::ImportValue": imported, "Fn::GetStackOutput": recorded } = value;
      const exported = outputs.find(
        ([name, { Export }]) => name === (recorded?.OutputName ?? Ref) || (imported && Export?.Name === imported),
      );
      return exported?.[1].Value ?? value;
    };

    test("have room for another function, since an alarm accepts ten metrics", () => {
      const counts = Object.values(assembled().templates[stage]).flatMap((template) =>
        template
          .properties("CloudWatch::Alarm")
          .map(({ Metrics = [] }) => Metrics.filter(({ MetricStat }: Properties) => MetricStat).length),
      );
      expect(Math.max(...counts)).toBeLessThan(10);
    });

    /** The metrics of each alarm. */
    const watched = () =>
      Object.values(assembled().templates[stage])
        .flatMap((template) => template.properties("CloudWatch::Alarm"))
        .map(({ AlarmName, Metrics, Statistic, ExtendedStatistic, ...single }) => ({
          name: AlarmName.replace(`business-data-${stage}-`, ""),
          metrics: (
            Metrics?.flatMap(({ MetricStat }: Properties) =>
              MetricStat ? [{ ...MetricStat.Metric, Stat: MetricStat.Stat }] : [],
            ) ?? [{ ...single, Stat: Statistic ?? ExtendedStatistic }]
          ).map(({ Namespace, MetricName, Stat, Dimensions = [] }: Properties) => ({
            recorded: `${Namespace.replace(`/${stage}`, "/<stage>")} ${MetricName} ${Stat}`,
            series: seriesOf(
              Namespace,
              MetricName,
              Object.fromEntries(Dimensions.map(({ Name, Value }: Properties) => [Name, resolved(Value)])),
            ),
          })) as { recorded: string; series: string }[],
        }));

    test("are published by AWS for resources of the stage, or by its functions", async () => {
      const recorded = new Set([...recordedByAws(assembled().templates[stage]), ...(await recordedByFunctions(stage))]);
      for (const { name, metrics } of watched()) {
        expect(metrics.length, name).toBeGreaterThan(0);
        for (const { series } of metrics) expect([...recorded], name).toContain(series);
      }
    });

    test("report each function of a schedule alone, also if it does not run", () => {
      const { Workers = expect.fail() } = assembled().templates[stage];
      const functions = Object.entries(Workers.all("Lambda::Function"));
      const watched = Workers.properties("CloudWatch::Alarm")
        .filter(({ TreatMissingData }) => TreatMissingData === "breaching")
        .map((alarm) => functions.filter(([id]) => JSON.stringify(alarm).includes(`{"Ref":"${id}"}`)))
        .map((found) => found.map(([, { Properties }]) => Properties.Description))
        .filter((found) => found.length > 0);
      expect(watched.sort()).toEqual(scheduled.map((handler) => [`functions/${handler}.ts`]).sort());
    });

    test("are those in the runbook", () => {
      const ofRunbook = alarmRows().filter((row) => isThere(row, stages[stage].aws));
      const sorted = (rows: { name: string; metrics: string[] }[]) =>
        Object.fromEntries(rows.map(({ name, metrics }) => [name, [...new Set(metrics)].sort()]));
      expect(
        sorted(watched().map(({ name, metrics }) => ({ name, metrics: metrics.map(({ recorded }) => recorded) }))),
      ).toEqual(sorted(ofRunbook));
    });
  });

  test.each(["sandbox", "prod"] as const)(
    "the alarm of %s on the account's concurrency gets its threshold at the deployment, and has one without it",
    (stage) => {
      const template = assembled().templates[stage].Monitoring ?? expect.fail();
      expect(template.one("CloudWatch::Alarm", "accountconcurrency").Threshold).toEqual({ Ref: concurrencyThreshold });
      expect(template.json.Parameters?.[concurrencyThreshold]).toMatchObject({
        Type: "Number",
        Default: 0.8 * stages[stage].aws.accountConcurrency,
      });
    },
  );
}
