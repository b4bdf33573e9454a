import { type Schema, type Schemas, type Side, schemaChanges } from "./schemaChanges.ts";

/** The parts of an API description that are compared. */
export interface Description {
  info: { version: string };
  paths: Record<string, Record<string, OperationObject>>;
  webhooks?: Record<string, Record<string, Pick<OperationObject, "requestBody">>>;
  components: { schemas: Schemas; responses: Record<string, Answer> };
}

interface OperationObject {
  operationId: string;
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Answer | { $ref: string }>;
}

interface Answer {
  headers?: Record<string, unknown>;
  content?: Content;
}

type Content = Record<string, { schema: Schema }>;

/**
 * Returns the changes of a new API description that break callers of an old one: a removed operation, parameter, field or
 * value; a newly required input or scope; a narrower type or bound; a removed type of event.
 *
 * @returns a line for each change, starting with the operation; none if no caller breaks
 */
export function breakingChanges(before: Description, after: Description): string[] {
  const operations = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, older]) => {
      const newer = after.paths[path]?.[method];
      const changes = newer ? operationChanges(before, older, after, newer) : ["was removed"];
      return changes.map((change) => `${method.toUpperCase()} ${path}: ${change}`);
    }),
  );
  return [...operations, ...eventChanges(before, after)];
}

/** The changes of the events that webhook endpoints receive. Callers ignore new types of events. */
function eventChanges(before: Description, after: Description): string[] {
  const [olds, news] = [typedEvents(before), typedEvents(after)];
  return [...olds].flatMap(([name, older]) => {
    const newer = news.get(name);
    const changes = newer
      ? schemaChanges("answer", "body", [older, before.components.schemas], [newer, after.components.schemas])
      : ["was removed"];
    return changes.map((change) => `webhook ${name}: ${change}`);
  });
}

/** The alternatives of the bodies that webhook endpoints receive, by name. */
function typedEvents({ webhooks = {}, components: { schemas } }: Description): Map<string, Schema> {
  const contents = Object.values(webhooks).flatMap(({ post }) => Object.values(post?.requestBody?.content ?? {}));
  const names = contents.flatMap(({ schema }) => schemas[nameOf(schema)]?.oneOf?.map(nameOf) ?? []);
  return new Map(names.map((name) => [name, schemas[name] ?? {}]));
}

const nameOf = ({ $ref = "" }: Schema): string => $ref.replace("#/components/schemas/", "");

function operationChanges(before: Description, older: OperationObject, after: Description, newer: OperationObject) {
  const compareContent = (side: Side, where: string, olds: Content = {}, news: Content = {}) =>
    Object.entries(olds).flatMap(([type, { schema }]) => {
      const now = news[type]?.schema;
      if (!now) return [`${where}: ${type} was removed`];
      return schemaChanges(side, where, [schema, before.components.schemas], [now, after.components.schemas]);
    });

  function parameterChanges(): string[] {
    const find = ({ parameters = [] }: OperationObject, one: { in: string; name: string }) =>
      parameters.find((other) => other.in === one.in && other.name === one.name);
    const changed = (older.parameters ?? []).flatMap((one) => {
      const [where, now] = [`${one.in}.${one.name}`, find(newer, one)];
      if (!now) return [`${where}: was removed`];
      return [
        ...(now.required && !one.required ? [`${where}: is now required`] : []),
        ...schemaChanges(
          "request",
          where,
          [one.schema, before.components.schemas],
          [now.schema, after.components.schemas],
        ),
      ];
    });
    const added = (newer.parameters ?? []).filter((one) => one.required && !find(older, one));
    return [...changed, ...added.map((one) => `${one.in}.${one.name}: is now required`)];
  }

  function bodyChanges(): string[] {
    const required = newer.requestBody?.required && !older.requestBody?.required;
    return [
      ...(required ? ["body: is now required"] : []),
      ...compareContent("request", "body", older.requestBody?.content, newer.requestBody?.content),
    ];
  }

  function answerChanges(): string[] {
    const answerOf = ({ components }: Description, answer: Answer | { $ref: string } | undefined) =>
      answer && "$ref" in answer ? components.responses[answer.$ref.replace("#/components/responses/", "")] : answer;
    const isSuccess = (status: string) => status.startsWith("2");
    const added = Object.keys(newer.responses).filter((status) => isSuccess(status) && !older.responses[status]);
    const changed = Object.keys(older.responses).flatMap((status) => {
      const [was, is] = [answerOf(before, older.responses[status]), answerOf(after, newer.responses[status])];
      if (!is) return isSuccess(status) ? [`response ${status}: was removed`] : [];
      const lost = Object.keys(was?.headers ?? {}).filter((name) => !is.headers?.[name]);
      return [
        ...lost.map((name) => `response ${status}: the header ${name} was removed`),
        ...compareContent("answer", `response ${status}`, was?.content, is.content),
      ];
    });
    return [...changed, ...added.map((status) => `response ${status}: is new`)];
  }

  function accessChanges(): string[] {
    // An empty list requires no credential, like an alternative without entries.
    const needed = ({ security = [] }: OperationObject) =>
      (security.length > 0 ? security : [{}]).map((way) => Object.entries(way));
    const opens = (had: [string, readonly string[]][]) =>
      needed(newer).some((way) =>
        way.every(([scheme, scopes]) => {
          const held = had.find(([name]) => name === scheme)?.[1];
          return held && scopes.every((scope) => held.includes(scope));
        }),
      );
    return needed(older).every(opens) ? [] : ["access: requires more than before"];
  }

  return [
    ...(older.operationId === newer.operationId ? [] : [`is now called ${newer.operationId}`]),
    ...accessChanges(),
    ...parameterChanges(),
    ...bodyChanges(),
    ...answerChanges(),
  ];
}
