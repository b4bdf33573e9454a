import type { Properties } from "./assembled.ts";

/**
 * Whether a statement of WAF fits a path, as AWS documents it for what is used here: a regular expression on the path as it
 * was sent, after text transformations in the order of their priorities.
 *
 * @throws Error for any other statement or transformation, so that none is passed over
 */
export function matchesPath({ RegexMatchStatement, ...others }: Properties, path: string): boolean {
  const { FieldToMatch, RegexString, TextTransformations } = RegexMatchStatement ?? {};
  if (!FieldToMatch?.UriPath || Object.keys(others).length > 0)
    throw new Error("only a path's expression is known here");
  const inOrder = TextTransformations.toSorted((one: Properties, other: Properties) => one.Priority - other.Priority);
  const transformed = inOrder.reduce((text: string, { Type }: Properties) => {
    const transform = transformations[Type];
    if (!transform) throw new Error(`the transformation ${Type} is not known here`);
    return transform(text);
  }, path);
  return new RegExp(RegexString).test(transformed);
}

const transformations: Readonly<Record<string, (text: string) => string>> = {
  /** Bytes by their hexadecimal digits, once. */
  URL_DECODE: (text) =>
    text.replaceAll(/%([0-9A-F]{2})/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16))),
  /** Without multiple slashes, references to the directory itself, and those back that are not at the beginning. */
  NORMALIZE_PATH: (text) => {
    const kept: string[] = [];
    for (const part of text.split(/\/+/).filter((part) => part !== ".")) {
      if (part === ".." && kept.some((each) => each !== "" && each !== "..")) kept.pop();
      else kept.push(part);
    }
    return kept.join("/");
  },
};
