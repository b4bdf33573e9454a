import { beforeAll, describe, expect, test, vi } from "vitest";
import { alarmRows } from "../../alarms.ts";
import { region } from "../deployed/template.ts";
import type { Emulator } from "./emulator.ts";
import type { Releases } from "./releases.ts";

const prefix = "business-data-sandbox-";

interface DeployedAlarm {
  name: string;
  namespace: string;
  metric: string;
  threshold: number;
}

async function deployedAlarms(emulator: Emulator): Promise<DeployedAlarm[]> {
  const xml = await emulator.call("monitoring", {
    Action: "DescribeAlarms",
    AlarmNamePrefix: prefix,
    MaxRecords: "100",
  });
  return [...xml.matchAll(/<AlarmName>[\s\S]*?(?=<AlarmName>|$)/g)].map(([text]) => {
    const value = (tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`).exec(text)?.[1] ?? "";
    return {
      name: value("AlarmName"),
      namespace: value("Namespace"),
      metric: value("MetricName"),
      threshold: Number(value("Threshold")),
    };
  });
}

async function raise(
  emulator: Emulator,
  { name, namespace, metric, threshold }: DeployedAlarm,
  byHand: boolean,
): Promise<void> {
  await (byHand
    ? emulator.call("monitoring", {
        Action: "SetAlarmState",
        AlarmName: name,
        StateValue: "ALARM",
        StateReason: "test",
      })
    : emulator.call("monitoring", {
        Action: "PutMetricData",
        Namespace: namespace,
        "MetricData.member.1.MetricName": metric,
        "MetricData.member.1.Value": String(2 * threshold),
      }));
}

export function describeAlarms(releases: () => Releases): void {
  describe("the alarms", () => {
    const rows = alarmRows();
    let alarms: Map<string, DeployedAlarm>;
    /** Alarms that a subscriber was notified of. */
    const heard = new Set<string>();
    let hear: () => Promise<void>;

    beforeAll(async () => {
      const { emulator, outputs } = releases();
      const queue = await emulator.call("sqs", { Action: "CreateQueue", QueueName: "operator" });
      const [, url = ""] = /<QueueUrl>(.*)<\/QueueUrl>/.exec(queue) ?? [];
      await emulator.call("sns", {
        Action: "Subscribe",
        TopicArn: outputs.AlarmTopic ?? "",
        Protocol: "sqs",
        Endpoint: `arn:aws:sqs:${region}:000000000000:operator`,
      });
      alarms = new Map((await deployedAlarms(emulator)).map((alarm) => [alarm.name, alarm]));
      const receive = { Action: "ReceiveMessage", QueueUrl: url, MaxNumberOfMessages: "10", VisibilityTimeout: "120" };
      hear = async () => {
        const messages = await emulator.call("sqs", receive);
        for (const [, name = ""] of messages.matchAll(/AlarmName[\\"&quot;:\s]+(business-data-sandbox-[\w-]+)/g)) {
          heard.add(name);
        }
      };
    });

    test("are those of the runbook, and can be raised as it says", () => {
      const raisable = Object.fromEntries(rows.map(({ name, raised }) => [`${prefix}${name}`, raised]));
      for (const name of alarms.keys()) expect(raisable[name], name).toBe(releases().alarms.get(name));
      const absent = rows.filter(({ name }) => !alarms.has(`${prefix}${name}`));
      expect(absent.map(({ raised }) => raised)).toEqual(absent.map(() => "not there"));
      expect(alarms.size + absent.length).toBe(rows.length);
    });

    test.each(rows.filter(({ raised }) => raised !== "not there"))(
      "include $name, which reaches subscribers when it is raised $raised",
      async ({ name, raised }) => {
        const alarm = alarms.get(`${prefix}${name}`) ?? expect.fail();
        await raise(releases().emulator, alarm, raised === "by hand");
        await vi.waitFor(
          async () => {
            await hear();
            expect([...heard]).toContain(alarm.name);
          },
          { timeout: 90_000, interval: 200 },
        );
      },
      100_000,
    );
  });
}
