import { expect, test } from "vitest";
import { readXml, writeXml } from "../../../../../shared/pos/connectors/intacct/xml.ts";

const nested = (levels: number) => `${"<a>".repeat(levels)}${"</a>".repeat(levels)}`;

test.each<[string, unknown]>([
  ["<a>007.10</a>", { a: "007.10" }],
  ['<?xml version="1.0"?><a b="1"><C.D/></a>', { a: { "@b": "1", "C.D": "" } }],
  ["<a>O&apos;Neil &amp; O&#39;Shea &#x26; &lt;b&gt;</a>", { a: "O'Neil & O'Shea & <b>" }],
  ["<a><![CDATA[<b>&amp;]]></a>", { a: "<b>&amp;" }],
  ["<a><b>1</b><b>2</b></a>", { a: { b: ["1", "2"] } }],
  ["<!-- <!DOCTYPE a> --><a><![CDATA[<!DOCTYPE html>]]></a>", { a: "<!DOCTYPE html>" }],
  ["<a>&unknown;</a>", { a: "&unknown;" }],
  ['\uFEFF<?xml version="1.0"?>\n<a b=" 1 "> x <c/> y </a>\n', { a: { "@b": "1", c: "", "#text": "x  y" } }],
])("%s is read", (text, expected) => {
  expect(readXml(text)).toEqual(expected);
});

test("any number of characters can be written as entities", () => {
  const rows = "<b>x &amp; y</b>".repeat(5_000);
  expect(readXml(`<a>${rows}</a>`)).toEqual({ a: { b: Array(5_000).fill("x & y") } });
});

test.each(["\v", "\x01", "&#11;", "&#x0B;", "&#31;"])(
  "the forbidden character %j is replaced without a change of other text",
  (character) => {
    expect(readXml(`<a><b>x${character}y</b><c>&#9;&#10;z&#x1F4A1;</c></a>`)).toEqual({
      a: { b: "x\uFFFDy", c: "z\u{1F4A1}" },
    });
  },
);

const bomb = (depth: number) =>
  Array.from({ length: depth }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join("");

test("a prolog similar to a document type is read in linear time", () => {
  expect(readXml(`${"<!---->".repeat(100_000)}<a/>`)).toEqual({ a: "" });
  expect(() => readXml("<!-- ".repeat(100_000))).toThrow("has an unknown form");
});

test.each([
  ["nothing", ""],
  ["JSON", '{"Planted":1}'],
  ["text", "Planted"],
  ["a truncated document", "<a><b>Planted</b>"],
  ["a wrong closing tag", "<a><b>Planted</a></b>"],
  ["a document type", "<!DOCTYPE a><a>Planted</a>"],
  ["a document with own entities", '<!doctype a [<!ENTITY b "Planted">]><a>&b;</a>'],
  ["a document type behind a comment that hides another", "<!-- <a> --><?b <!-- ?><!DOCTYPE a><a>Planted</a><!-- -->"],
  [
    "a document type behind a value that looks like a comment",
    '<a b="<!--"><!DOCTYPE a [<!ENTITY b "Planted">]>&b;</a><!-- -->',
  ],
  ["a document type inside", '<a><![CDATA[ ]]><!DOCTYPE a [<!ENTITY b "Planted">]>&b;</a>'],
  ["a document type in capitals and small letters", "<!DocType a><a>Planted</a>"],
  ["a document type after a byte order mark", "\uFEFF<!DOCTYPE a><a>Planted</a>"],
  ["a document type after the XML declaration and comments", '<?xml version="1.0"?>\n<!--a--><?b c?> <!DOCTYPE a><a/>'],
  ["an entity bomb", `<!DOCTYPE a [<!ENTITY e0 "Planted">${bomb(9)}]><a>&e9;</a>`],
  ["an external document type", '<!DOCTYPE a SYSTEM "http://example.com/Planted.dtd"><a/>'],
  ["character data that does not end", "<a><![CDATA[Planted</a>"],
  ["files as entities", '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///Planted">]><a>&b;</a>'],
  ["a document nested too deeply", nested(100)],
  ["a document nested far too deeply", nested(200_000)],
  ["names that reach into objects", "<a><__proto__><b>Planted</b></__proto__></a>"],
])("%s is not read, and the error contains nothing of it", (_, text) => {
  const read = () => readXml(text);
  expect(read).toThrow(expect.objectContaining({ failure: "notUnderstood", code: "no_xml" }));
  expect(read).toThrow(expect.not.objectContaining({ message: expect.stringContaining("Planted") }));
});

test.each(["<x>&\"'", "]]></password><b>", "&lt;", "ümlaut"])(
  "%j is written in such a way that it can be read again",
  (text) => {
    const elements = { a: { "@b": text, c: `.${text}.` } };
    expect(readXml(writeXml(elements))).toEqual(elements);
  },
);
