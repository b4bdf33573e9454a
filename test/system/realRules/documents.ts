import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { Send } from "./items.ts";

// The rules know DynamoDB's wire format alone. What the document client sends and is answered holds plain values here,
// which it converts further down.

/** What holds an item, a key or an expression's values, in inputs and outputs; and what holds several of them. */
const holders = new Set([
  "Attributes",
  "ExclusiveStartKey",
  "ExpressionAttributeValues",
  "Item",
  "Key",
  "LastEvaluatedKey",
]);
const lists = new Set(["Items", "Keys"]);

type Convert = (values: Record<string, unknown>) => unknown;

/** Lets a rule see a call in wire format, whichever client it comes from. */
export async function inWireFormat(
  input: unknown,
  send: Send,
  rule: (input: unknown, send: Send) => ReturnType<Send>,
): ReturnType<Send> {
  if (!isPlain(input)) return rule(input, send);
  const answer = await rule(wire(input), async (changed) => {
    const { response, output } = await send(plain(changed));
    return { response, output: wire(output) };
  });
  return { ...answer, output: plain(answer.output) };
}

/** Whether a call is the document client's: the keys of this project's table are texts, in wire format objects. */
function isPlain(input: unknown): boolean {
  let found = false;
  converted(input, (values) => {
    found ||= Object.values(values).some((value) => typeof value === "string");
  });
  return found;
}

function wire(part: unknown): unknown {
  return converted(part, (values) => marshall(values, { removeUndefinedValues: true }));
}

function plain(part: unknown): unknown {
  return converted(part, (values) => unmarshall(values as Parameters<typeof unmarshall>[0]));
}

function converted(part: unknown, convert: Convert, name = ""): unknown {
  if (typeof part !== "object" || part === null) return part;
  if (holders.has(name)) return convert(part as Record<string, unknown>);
  if (Array.isArray(part))
    return part.map((member) => (lists.has(name) ? convert(member) : converted(member, convert)));
  // A batch is answered by tables.
  const members = Object.entries(part).map(([key, member]) => [
    key,
    converted(member, convert, name === "Responses" ? "Items" : key),
  ]);
  return Object.fromEntries(members);
}
