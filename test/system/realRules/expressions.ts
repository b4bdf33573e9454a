import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { RawItem } from "../../../shared/store/client.ts";
import { type IndexName, tableIndexes, tableKeys } from "../../../shared/store/schema.ts";

/** The part of a table or an index that a query reads. */
export interface Range {
  pk: string;
  /** the attribute that sorts its items */
  order: string;
  /** whether it contains an item of the partition */
  holds(item: RawItem): boolean;
}

type Test = (value: string, first: string, last: string) => boolean;

const comparisons: Record<string, Test> = {
  "=": (value, bound) => value === bound,
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
};
const forms: [RegExp, (operator: string) => Test | undefined][] = [
  [/^(?<name>[#\w]+) (?<operator>[<>=]+) (?<first>:\w+)$/, (operator) => comparisons[operator]],
  [/^(?<name>[#\w]+) BETWEEN (?<first>:\w+) AND (?<last>:\w+)$/, () => (value, a, b) => value >= a && value <= b],
  [/^begins_with\((?<name>[#\w]+), ?(?<first>:\w+)\)$/, () => (value, beginning) => value.startsWith(beginning)],
];

/**
 * Reads a query's key condition.
 *
 * @throws Error for a form that this project does not use
 */
export function rangeOf(input: QueryCommandInput): Range {
  const { KeyConditionExpression: expression = "", IndexName, FilterExpression, Select } = input;
  // Created only when thrown: the stack trace and text for each query would take a fiftieth of a history's time.
  const unknown = () => new Error(`the layer does not know this form of query: ${JSON.stringify(input)}`);
  if (FilterExpression || Select) throw unknown();
  const order = IndexName ? tableIndexes[IndexName as IndexName] : tableKeys.range;
  const [, hash = "", bound = "", rest] = /^([#\w]+) = (:\w+)(?: AND (.+))?$/.exec(expression) ?? [];
  const value = (name: string | undefined) => {
    const text = input.ExpressionAttributeValues?.[name ?? ""]?.S;
    if (text === undefined) throw unknown();
    return text;
  };
  const pk = value(bound);
  if (nameOf(hash, input) !== tableKeys.hash || !order) throw unknown();
  if (!rest) return { pk, order, holds: (item) => item[order] !== undefined };
  for (const [form, testOf] of forms) {
    const { name = "", operator = "", first, last } = form.exec(rest)?.groups ?? {};
    const test = testOf(operator);
    if (!first || !test || nameOf(name, input) !== order) continue;
    const [from, to] = [value(first), last ? value(last) : ""];
    return { pk, order, holds: (item) => item[order]?.S !== undefined && test(item[order].S, from, to) };
  }
  throw unknown();
}

interface Projected {
  ProjectionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
}

/** Reads whole items instead of some attributes. DynamoDB rejects attribute names without use, so they are removed. */
export function whole<T extends Projected & { KeyConditionExpression?: string | undefined }>(input: T): T {
  const { ProjectionExpression: _, ExpressionAttributeNames: names = {}, ...rest } = input;
  const used = new Set(input.KeyConditionExpression?.match(/#\w+/g));
  const kept = Object.fromEntries(Object.entries(names).filter(([name]) => used.has(name)));
  return { ...rest, ...(used.size > 0 && { ExpressionAttributeNames: kept }) } as unknown as T;
}

/**
 * The requested attributes of an item.
 *
 * @throws Error for parts of attributes
 */
export function projected(item: RawItem, input: Projected): RawItem {
  if (input.ProjectionExpression === undefined) return item;
  const names = input.ProjectionExpression.split(",").map((name) => nameOf(name.trim(), input));
  return Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
}

function nameOf(name: string, { ExpressionAttributeNames: names = {} }: Projected): string {
  const attribute = name.startsWith("#") ? names[name] : name;
  if (!attribute || !(name.startsWith("#") || /^\w+$/.test(name))) {
    throw new Error(`the layer does not know this name of an attribute: ${name}`);
  }
  return attribute;
}
