import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Raised } from "../../alarms.ts";
import type { Resource, Template } from "../deployed/template.ts";

// All that the emulator lacks of what the stacks consist of.

/**
 * Types of resources that it does not know, or does not process as AWS does: a delivery stream neither decompresses nor
 * compresses there, and a subscription filter needs one. Nothing refers to them.
 */
const unknownTypes: readonly string[] = [
  "AWS::Budgets::Budget",
  "AWS::CE::AnomalyMonitor",
  "AWS::CE::AnomalySubscription",
  "AWS::CloudTrail::Trail",
  "AWS::CloudWatch::CompositeAlarm",
  "AWS::KinesisFirehose::DeliveryStream",
  "AWS::Logs::SubscriptionFilter",
  "AWS::WAFv2::LoggingConfiguration",
  "AWS::WAFv2::WebACLAssociation",
];

/** Is made, changed, and removed without doing anything. */
const placeholder: Resource = { Type: "AWS::CloudFormation::WaitConditionHandle", Properties: {} };

/**
 * Puts placeholders into the templates of a cloud assembly, in the place of what the emulator lacks.
 *
 * @param release what tells this assembly from others
 * @returns how it can raise each alarm, by its name
 */
export function usePlaceholders(directory: string, release = ""): Map<string, Raised> {
  const alarms = new Map<string, Raised>();
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".template.json"))) {
    const path = join(directory, file);
    const template: Template = JSON.parse(readFileSync(path, "utf8"));
    for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
      if (unknownTypes.includes(Type)) template.Resources[id] = placeholder;
      if (Type === "AWS::CloudWatch::Alarm") alarms.set(Properties.AlarmName, simplify(Properties));
      if (Properties?.GenerateSecretString) nameExcluded(Properties.GenerateSecretString);
    }
    if (file.endsWith(".nested.template.json")) tagEach(template, release);
    dropTokens(template);
    template.Resources[outputsId(template)] = placeholder;
    writeFileSync(path, JSON.stringify(template));
  }
  return alarms;
}

/**
 * Of what an update of a stack inside another one does not change, it forgets the attributes, which others there refer to:
 * so everything with such attributes changes.
 */
function tagEach({ Resources }: Template, release: string): void {
  for (const { Type, Properties } of Object.values(Resources)) {
    if (!/^AWS::(IAM::Role|Lambda::Function|Logs::LogGroup)$/.test(Type)) continue;
    Properties.Tags = [...(Properties.Tags ?? []), { Key: "release", Value: release }];
  }
}

/** It evaluates neither silence nor an expression: an alarm about one is about the first of its metrics instead. */
function simplify(alarm: Resource["Properties"]): Raised {
  if (alarm.TreatMissingData === "breaching") return "by hand";
  if (!alarm.Metrics) return "by its metric";
  const { Metric, Period, Stat } = alarm.Metrics.find((each: { MetricStat?: object }) => each.MetricStat).MetricStat;
  delete alarm.Metrics;
  Object.assign(alarm, { ...Metric, Period, Statistic: Stat });
  return "by its first metric";
}

/** It excludes characters by their names alone from the secrets that it makes. */
function nameExcluded(secret: Record<string, unknown>): void {
  const upperCase = secret.ExcludeUppercase ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "";
  const punctuation = secret.ExcludePunctuation ? "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" : "";
  secret.ExcludeCharacters = `${secret.ExcludeCharacters ?? ""}${upperCase}${punctuation}`;
}

/** It makes no tokens of DKIM, of which outputs tell. */
function dropTokens({ Outputs = {} }: Template): void {
  for (const [name, { Value }] of Object.entries(Outputs)) {
    if (JSON.stringify(Value).includes("DkimDNSToken")) delete Outputs[name];
  }
}

/** It sees no change in a template of which only outputs change, which AWS does: so they are the name of a resource. */
const outputsId = ({ Outputs = {} }: Template): string =>
  `Outputs${createHash("sha256").update(JSON.stringify(Outputs)).digest("hex").slice(0, 16)}`;
