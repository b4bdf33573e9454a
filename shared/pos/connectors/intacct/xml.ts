import { parseXml, XmlElement, type XmlNode, XmlText } from "@rgrove/parse-xml";
import Builder from "fast-xml-builder";
import { PosError } from "../../connector.ts";

/** Elements by name. `@` precedes the name of an attribute. An array stands for a repeated element. */
export interface Elements {
  [name: string]: string | number | boolean | Elements | readonly (string | Elements)[];
}

/** A parsed element: its text, or its attributes (`@name`), children and text (`#text`). */
type Content = string | { [name: string]: Content | Content[] };

const builder = new Builder({ ignoreAttributes: false, attributeNamePrefix: "@" });
/** Responses of Intacct have less than ten levels. */
const maxLevels = 32;

export function writeXml(elements: Elements): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${builder.build(elements)}`;
}

/**
 * Returns the root element by its name. Every value is a string, so no digit of a number is lost.
 *
 * @throws PosError "notUnderstood" for a document type, for XML that is not well-formed, and for deep nesting. The error
 * contains no part of the text.
 */
export function readXml(text: string): Readonly<Record<string, unknown>> {
  try {
    if (hasDocumentType(text)) throw new SyntaxError("document type");
    const { root } = parseXml(replaceForbidden(text), { ignoreUndefinedEntities: true });
    return root ? { [root.name]: contentOf(root, 1) } : {};
  } catch {
    throw new PosError("notUnderstood", { code: "no_xml" });
  }
}

/** Text that may precede a document type: white space, comments, the XML declaration and processing instructions. */
const prolog = /\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/y;

/**
 * Whether a document type declaration precedes the root element. The parser skips a declaration before the root element
 * and rejects a declaration elsewhere. Such a declaration may define XML entities, and Intacct's responses have none.
 */
function hasDocumentType(text: string): boolean {
  let start = text.startsWith("\uFEFF") ? 1 : 0;
  // One pattern for the whole prolog would backtrack in exponential time.
  for (prolog.lastIndex = start; prolog.test(text); prolog.lastIndex = start) start = prolog.lastIndex;
  return /^<!doctype/i.test(text.slice(start, start + 9));
}

/** Characters that XML 1.0 forbids, as characters or as references such as `&#1;`. */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\0-\x08\v\f\x0E-\x1F\uFFFE\uFFFF]|&#(?:0*(?:[0-8]|1[1245-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/gi;

/** Replaces forbidden characters, because a single pasted control character must not make a whole page unreadable. */
const replaceForbidden = (text: string): string => text.replace(forbidden, "\uFFFD");

function contentOf({ attributes, children }: XmlElement, level: number): Content {
  if (level > maxLevels) throw new RangeError("nesting");
  const content: Exclude<Content, string> = {};
  for (const [name, value] of Object.entries(attributes)) content[`@${name}`] = value.trim();
  for (const child of children) {
    if (!(child instanceof XmlElement)) continue;
    const { name } = child;
    // Storing an element with this name would set the prototype of `content`.
    if (name === "__proto__") throw new SyntaxError("name");
    const next = contentOf(child, level + 1);
    const previous = Object.hasOwn(content, name) ? content[name] : undefined;
    if (Array.isArray(previous)) previous.push(next);
    else content[name] = previous === undefined ? next : [previous, next];
  }
  const text = textOf(children);
  if (Object.keys(content).length === 0) return text;
  return text === "" ? content : { ...content, "#text": text };
}

const textOf = (children: readonly XmlNode[]): string =>
  children
    .map((child) => (child instanceof XmlText ? child.text : ""))
    .join("")
    .trim();
