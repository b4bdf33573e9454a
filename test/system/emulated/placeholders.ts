import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Raised } from "../../alarms.ts";
import type { Resource, Template } from "../deployed/template.ts";

// Replacements for features that the emulator lacks.

/**
 * Resource types that the emulator does not know or handles unlike AWS: its delivery streams neither decompress nor
 * compress, and a subscription filter needs one. No resource refers to them.
 */
const unknownTypes: readonly string[] = [
  "AWS::Budgets::Budget",
  "AWS::CE::AnomalyMonitor",
  "AWS::CE::AnomalySubscription",
  "AWS::CloudTrail::Trail",
  "AWS::KinesisFirehose::DeliveryStream",
  "AWS::Logs::SubscriptionFilter",
  "AWS::WAFv2::LoggingConfiguration",
  "AWS::WAFv2::WebACLAssociation",
];

/** A resource that does nothing when it is created, updated or deleted. */
const placeholder: Resource = { Type: "AWS::CloudFormation::WaitConditionHandle", Properties: {} };

/**
 * Replaces unsupported resources in the templates of a cloud assembly by placeholders.
 *
 * @param release distinguishes this assembly from others
 * @returns how to raise each alarm, by its name
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
 * An update of a nested stack makes the emulator forget the attributes of unchanged resources, to which others refer.
 * So every resource with such attributes changes.
 */
function tagEach({ Resources }: Template, release: string): void {
  for (const { Type, Properties } of Object.values(Resources)) {
    if (!/^AWS::(IAM::Role|Lambda::Function|Logs::LogGroup)$/.test(Type)) continue;
    Properties.Tags = [...(Properties.Tags ?? []), { Key: "release", Value: release }];
  }
}

/**
 * The emulator evaluates neither missing data nor expressions. An alarm on an expression uses the first of its
 * metrics instead.
 */
function simplify(alarm: Resource["Properties"]): Raised {
  const expression: { MetricStat?: Record<string, object> }[] | undefined = alarm.Metrics;
  if (expression) {
    const { Metric, Period, Stat } = expression.find(({ MetricStat }) => MetricStat)?.MetricStat ?? {};
    delete alarm.Metrics;
    Object.assign(alarm, { ...Metric, Period, Statistic: Stat });
  }
  if (alarm.TreatMissingData === "breaching") return "by hand";
  return expression ? "by its first metric" : "by its metric";
}

/** For generated secrets, the emulator excludes characters only if they are listed by name. */
function nameExcluded(secret: Record<string, unknown>): void {
  const upperCase = secret.ExcludeUppercase ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "";
  const punctuation = secret.ExcludePunctuation ? "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" : "";
  secret.ExcludeCharacters = `${secret.ExcludeCharacters ?? ""}${upperCase}${punctuation}`;
}

/** The emulator makes no DKIM tokens, to which outputs refer. */
function dropTokens({ Outputs = {} }: Template): void {
  for (const [name, { Value }] of Object.entries(Outputs)) {
    if (JSON.stringify(Value).includes("DkimDNSToken")) delete Outputs[name];
  }
}

/**
 * Unlike AWS, the emulator sees no change if only the outputs of a template change. So a resource is named after
 * them.
 */
const outputsId = ({ Outputs = {} }: Template): string =>
  `Outputs${createHash("sha256").update(JSON.stringify(Outputs)).digest("hex").slice(0, 16)}`;
