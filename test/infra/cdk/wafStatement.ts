import type { Properties } from "./assembled.ts";

/** The parts of a request that WAF inspects. */
export interface WafRequest {
  path?: string;
  method?: string;
  authorization?: string;
}

/**
 * Evaluates a WAF statement for a request, as AWS documents the statements that are used here. A missing header matches no
 * expression.
 * @throws Error for any other statement, field or transformation, so that none is ignored
 */
export function matchesStatement(statement: Properties, request: WafRequest): boolean {
  const [[kind, content] = unknown("no statement"), ...others] = Object.entries(statement);
  if (others.length > 0) unknown("several statements");
  switch (kind) {
    case "NotStatement":
      return !matchesStatement(content.Statement, request);
    case "OrStatement":
      return content.Statements.some((each: Properties) => matchesStatement(each, request));
    case "RegexMatchStatement": {
      const text = transformedField(content, request);
      return text !== undefined && new RegExp(content.RegexString).test(text);
    }
    case "ByteMatchStatement":
      if (content.PositionalConstraint !== "EXACTLY") unknown(content.PositionalConstraint);
      return transformedField(content, request) === content.SearchString;
    default:
      return unknown(kind);
  }
}

function transformedField({ FieldToMatch, TextTransformations }: Properties, request: WafRequest): string | undefined {
  const inOrder = TextTransformations.toSorted((one: Properties, other: Properties) => one.Priority - other.Priority);
  return inOrder.reduce(
    (text: string | undefined, { Type }: Properties) => {
      const transform = transformations[Type] ?? unknown(Type);
      return text === undefined ? undefined : transform(text);
    },
    fieldOf(FieldToMatch, request),
  );
}

function fieldOf(field: Properties, { path, method, authorization }: WafRequest): string | undefined {
  if (field.UriPath) return path;
  if (field.Method) return method;
  return field.SingleHeader?.Name === "authorization" ? authorization : unknown(JSON.stringify(field));
}

function unknown(what: string): never {
  throw new Error(`not known here: ${what}`);
}

const transformations: Readonly<Record<string, (text: string) => string>> = {
  NONE: (text) => text,
  COMPRESS_WHITE_SPACE: (text) => text.replaceAll(/\s+/g, " "),
  LOWERCASE: (text) => text.toLowerCase(),
  /** Decodes percent-encoded bytes once. */
  URL_DECODE: (text) =>
    text.replaceAll(/%([0-9A-F]{2})/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16))),
  /** Removes repeated slashes, `.` segments, and `..` segments that are not at the beginning. */
  NORMALIZE_PATH: (text) => {
    const kept: string[] = [];
    for (const part of text.split(/\/+/).filter((part) => part !== ".")) {
      if (part === ".." && kept.some((each) => each !== "" && each !== "..")) kept.pop();
      else kept.push(part);
    }
    return kept.join("/");
  },
};
