import { EntityDecoder } from "@nodable/entities";
import Builder from "fast-xml-builder";
import { XMLParser } from "fast-xml-parser";
import { PosError } from "../connector.ts";

/** Elements by their names; `@` begins the name of an attribute, a list is an element several times. */
export interface Elements {
  [name: string]: string | number | boolean | Elements | readonly (string | Elements)[];
}

const attributes = { ignoreAttributes: false, attributeNamePrefix: "@" };
const builder = new Builder(attributes);
/** Intacct's answers have less than ten levels. */
const mostLevels = 32;

/** Refuses document types wherever the parser finds one: it hands over what they define, be it nothing. */
class Decoder extends EntityDecoder {
  override addInputEntities(): never {
    throw new SyntaxError("a document type");
  }
}

// A decoder of its own, since the parser's leaves numbered characters (`&#39;`) as they are.
const parser = new XMLParser({
  ...attributes,
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: mostLevels,
  entityDecoder: new Decoder(),
});

export function writeXml(elements: Elements): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${builder.build(elements)}`;
}

/**
 * The elements of an answer; all that they hold is text, so that no digit is lost. Document types are refused, and with
 * them every entity of their own.
 *
 * @throws PosError "notUnderstood", which tells nothing of the text, for what is no whole XML, or is nested too deeply
 */
export function readXml(text: string): unknown {
  try {
    return parser.parse(text, true);
  } catch {
    throw new PosError("notUnderstood", { code: "no_xml" });
  }
}
