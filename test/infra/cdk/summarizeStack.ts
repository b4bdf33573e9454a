import type { Properties, Template } from "./assembled.ts";

/** Velocity templates are cut to this length. They have tests of their own. */
const maxVelocityLength = 40;
/** A type with fewer resources has no shared lines. */
const minShared = 3;
const maxLineLength = 130;

/** The lines of each resource, by kind and logical id. */
type Resources = Map<string, Map<string, string[]>>;

/**
 * Describes a stack for review: its resources by type and logical id, with a line for each property.
 *
 * - Lines that more than half of the resources of a type have are listed once, as `all`. Other resources of the type have
 *   another value, or the line after `not`.
 * - References have the form `${Table.Arn}`. In the resources of a function, `*` stands for the function's name.
 * - Hashes of code are omitted, so new code of a function changes nothing.
 * - Resources and lines are sorted, so that nothing is lost among lines that only move.
 *
 * @param stages the stack's template by stage. A line after `[prod]` is only in that stage's template
 */
export function summarizeStack(stages: Readonly<Record<string, Template>>): string {
  const found = Object.entries(stages).map(([stage, template]) => ({ stage, kinds: resourcesOf(template, stage) }));
  const kinds = new Set(found.flatMap(({ kinds }) => [...kinds.keys()]));
  return [...kinds]
    .sort()
    .map((kind) => {
      const ids = new Set(found.flatMap(({ kinds }) => [...(kinds.get(kind)?.keys() ?? [])]));
      const resources = [...ids].sort().map((id): [string, string[]] => {
        const inStages = found.flatMap(({ stage, kinds }) => {
          const lines = kinds.get(kind)?.get(id);
          return lines ? [{ stage, lines }] : [];
        });
        const where = inStages.length < found.length ? ` [${inStages.map(({ stage }) => stage)}]` : "";
        return [id + where, joinStages(inStages)];
      });
      return describeKind(kind, resources);
    })
    .join("\n");
}

/** The lines of a resource, each with the stage if not all stages have it. */
function joinStages(stages: readonly { stage: string; lines: readonly string[] }[]): string[] {
  const isCommon = (line: string) => stages.every(({ lines }) => lines.includes(line));
  return [
    ...new Set(
      stages.flatMap(({ stage, lines }) => lines.map((line) => (isCommon(line) ? line : `[${stage}] ${line}`))),
    ),
  ];
}

function describeKind(kind: string, resources: readonly (readonly [id: string, lines: readonly string[]])[]): string {
  const count = Map.groupBy(
    resources.flatMap(([, lines]) => [...new Set(lines)]),
    (line) => line,
  );
  const isShared = (line: string) =>
    resources.length >= minShared && (count.get(line)?.length ?? 0) > resources.length / 2;
  const shared = [...count.keys()].filter(isShared).sort();
  const described = resources.map(([id, lines]) => {
    const own = lines.filter((line) => !isShared(line));
    const paths = own.map(pathOf);
    // Another value of the same property replaces the shared one.
    const isMissing = (line: string) =>
      !lines.includes(line) && (pathOf(line).endsWith("[]") || !paths.includes(pathOf(line)));
    return describeLines(id, [...own.sort(), ...shared.filter(isMissing).map((line) => `not ${line}`)]);
  });
  const all = shared.length > 0 ? describeLines("all", shared) : "";
  return `${kind} (${resources.length})\n${all}${described.join("")}`;
}

const pathOf = (line: string): string => line.slice(0, line.indexOf(": "));

/** One line if there is room. */
function describeLines(name: string, lines: readonly string[]): string {
  const line = `  ${name}${lines.length > 0 ? `: ${lines.join("; ")}` : ""}\n`;
  return line.length <= maxLineLength ? line : `  ${name}\n${lines.map((each) => `    ${each}\n`).join("")}`;
}

function resourcesOf({ json }: Template, stage: string): Resources {
  const { Resources: resources, ...sections }: Properties = normalize(json, stage);
  const found: Resources = new Map();
  const add = (kind: string, id: string, lines: string[]) =>
    found.set(kind, (found.get(kind) ?? new Map()).set(id, lines));
  const functions = Object.keys(resources).filter((id) => resources[id].Type === "AWS::Lambda::Function");
  const names = functions.map(withoutHashes).sort((one, other) => other.length - one.length);
  for (const [id, resource] of Object.entries<Properties>(resources)) {
    const { Type, Properties = {}, Metadata: _, DependsOn, ...attributes } = resource;
    // A deployment waits for all methods.
    const order = DependsOn && Type !== "AWS::ApiGateway::Deployment" ? { DependsOn } : {};
    const lines = [...linesOf("", Properties), ...linesOf("", attributes), ...linesOf("", order)];
    const owner = names.find((name) => id.startsWith(name));
    const name = owner?.split("/").at(-1);
    const ofOwner = (line: string) => line.replaceAll(`\${${name}`, "${*").replaceAll(`["${name}`, '["*');
    // Preflight requests have their own responses.
    const kind = Properties.HttpMethod === "OPTIONS" ? `${Type} OPTIONS` : Type;
    add(kind, id, name ? lines.map(ofOwner) : lines);
  }
  for (const [section, entries] of Object.entries(sections)) {
    if (!isObject(entries)) continue;
    for (const [id, entry] of Object.entries(entries)) add(section, id, linesOf("", entry));
  }
  return found;
}

/** `path: value` for each value within a part of a template. */
function linesOf(path: string, value: unknown): string[] {
  if (isObject(value) && !isStatement(value)) {
    return Object.entries(value).flatMap(([name, part]) => linesOf(path ? `${path}.${name}` : name, part));
  }
  if (Array.isArray(value) && value.some(isObject)) {
    const isLong = value.length > 1 && !value.every(isStatement);
    return value.flatMap((element) => (isLong ? `${path}[]: ${textOf(element)}` : linesOf(`${path}[]`, element)));
  }
  return [`${path}: ${textOf(value)}`];
}

const isObject = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isStatement = (value: unknown): value is Properties => isObject(value) && typeof value.Effect === "string";

const cutVelocity = (text: string): string =>
  text.startsWith("#set(") ? `${text.slice(0, maxVelocityLength)}…` : text;

function textOf(value: unknown): string {
  if (typeof value === "string") return cutVelocity(value).replaceAll("\n", "\\n");
  if (isStatement(value)) return describeStatement(value);
  return JSON.stringify(value, (_, part) => (typeof part === "string" ? cutVelocity(part) : part));
}

/** A statement of a policy in one line. */
function describeStatement({ Effect, Action, NotAction, Resource, Principal, Condition = {}, ...others }: Properties) {
  const list = (value: unknown) =>
    [value]
      .flat()
      .map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
      .join(", ");
  const parts = { "": Action, "all but": NotAction, on: Resource, to: Principal };
  const words = Object.entries(parts).flatMap(([word, value]) => (value ? `${word} ${list(value)}`.trim() : []));
  const conditions = Object.entries<Properties>(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, value]) => `if ${operator} ${key} ${list(value)}`),
  );
  const more = Object.keys(others).length > 0 ? [JSON.stringify(others)] : [];
  return [Effect, ...words, ...conditions, ...more].join(" ");
}

/** The template with short references, JSON texts as values, and without volatile parts. */
function normalize(json: unknown, stage: string): Properties {
  const stable = JSON.stringify(json)
    .replace(/((?:Deployment|CurrentVersion)[0-9A-F]{8})[0-9a-f]{32}/g, "$1")
    .replace(/[0-9a-f]{64}/g, "HASH")
    .replaceAll("????????-????-????-????-????????????", "{id}")
    .replaceAll("123456789012", reference("AWS::AccountId"))
    .replaceAll("us-west-2", reference("AWS::Region"))
    .replace(new RegExp(`\\b${stage}\\b`, "g"), "{stage}");
  return JSON.parse(stable, (_, value) => {
    const [[name, content] = ["", undefined], ...others] = isObject(value) ? Object.entries(value) : [];
    return others.length > 0 ? value : (shortReference(name, content) ?? value);
  });
}

const reference = (name: string) => `\${${name}}`;

/** The short form of a function of CloudFormation; undefined if it has none. */
function shortReference(name: string, content: Properties[string]): unknown {
  switch (name) {
    case "Ref":
      return reference(withoutHashes(content));
    case "Fn::GetAtt":
      return reference(withoutHashes(content.join(".")));
    case "Fn::ImportValue":
      return reference(`import ${withoutHashes(content)}`);
    case "Fn::GetStackOutput":
      return reference(
        `${content.StackName.replace("business-data-{stage}-", "")}:${withoutHashes(content.OutputName)}`,
      );
    case "Fn::Join":
      return parseJson(content[1].join(content[0]).replace(/^arn:.*:lambda:path\/[\d-]+\/functions\//, "Lambda "));
    case "Fn::Sub":
      return typeof content === "string" ? content : undefined;
    default:
      return undefined;
  }
}

/** Ids without the hashes that the CDK adds, and without its prefixes of outputs. */
const withoutHashes = (text: string): string =>
  text
    .replace(/[0-9A-F]{8}(?![a-z])/g, "")
    .replace(/(Publish|Exports)Output(Ref|FnGetAtt)/, "")
    .replace(/^referenceto(?:Mock)?(Api\w*)Ref$/, "$1")
    .replace(/NestedStack\w+NestedStackResource/, "NestedStack");

/** The value of a JSON text, or the text itself. */
function parseJson(text: string): unknown {
  try {
    return /^[{[]/.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}
