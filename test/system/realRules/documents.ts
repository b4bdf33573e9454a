import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { Send } from "./items.ts";

// The rules use only DynamoDB's wire format. Inputs and outputs of the document client hold plain values here, which
// it converts below this layer.

/** Fields of inputs and outputs that hold one item, key or expression's values, and those that hold several. */
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

/** Passes a call to a rule in wire format, from either client. */
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

/**
 * Whether the document client made a call: keys of this project's table are texts, which are objects in wire format.
 */
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
  // A batch's response is grouped by table.
  const members = Object.entries(part).map(([key, member]) => [
    key,
    converted(member, convert, name === "Responses" ? "Items" : key),
  ]);
  return Object.fromEntries(members);
}
