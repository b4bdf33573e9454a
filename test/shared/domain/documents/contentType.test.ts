import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MimeType, mimeTypeExtensions, mimeTypes } from "../../../../shared/api/enumerations.ts";
import { isOfType } from "../../../../shared/domain/documents/contentType.ts";
import { sampleFile, sampleOf } from "./samples.ts";

const typeOf = (extension: string): MimeType =>
  mimeTypes.find((type) => (mimeTypeExtensions[type] as readonly string[]).includes(extension)) ?? expect.fail();
const bytes = (text: string) => Buffer.from(text, "latin1");
const isOf = (extension: string, content: Buffer | string) =>
  isOfType(typeOf(extension), typeof content === "string" ? bytes(content) : content);

describe("a sample file", () => {
  test.each(mimeTypes)("of type %s is recognized", async (type) =>
    expect(await isOfType(type, sampleOf(type))).toBe(true),
  );

  test("is not recognized as another type with its own format", async () => {
    // Text types may be recognized as each other, and two types are the same XML.
    const familyOf = (type: MimeType) => (/^text|json|xml/.test(type) && !type.includes("openxml") ? "text" : type);
    for (const type of mimeTypes) {
      for (const other of mimeTypes) {
        if (familyOf(type) === familyOf(other)) continue;
        expect(await isOfType(other, sampleOf(type)), `${type} as ${other}`).toBe(false);
      }
    }
  });

  test.each([
    ["xlsx", "a workbook with a password", sampleFile("password.xlsx")],
    ["docx", "a document with its parts in another order and their lengths after them", sampleFile("streamed.docx")],
    ["png", "an animation", sampleFile("animated.png")],
    ["tiff", "a picture in the format for more than 4 GB", bytes("II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0")],
    ["tif", "a scan with a tag for printing", withPrintTag(sampleFile("sample.tif"))],
    ["pdf", "white space before the header", bytes(`\r\n\0 ${sampleOf("application/pdf").toString("latin1")}`)],
    [
      "pdf",
      "a byte order mark before the header",
      bytes(`\xef\xbb\xbf${sampleOf("application/pdf").toString("latin1")}`),
    ],
    ["csv", "a byte order mark", "\xef\xbb\xbfa,b"],
    ["csv", "UTF-8", Buffer.from("Größe,价格,👍")],
    ["csv", "UTF-16", Buffer.from("\ufeffa,價\r\n", "utf16le")],
    ["txt", "UTF-16, big endian", Buffer.from("\ufeffnote", "utf16le").swap16()],
    ["csv", "Latin-1", "Gr\xf6\xdfe,caf\xe9"],
    ["txt", "Windows-1252", "\x93quoted\x94 \x96 \x80 5"],
    ["txt", "an end-of-file character of DOS", "a note\r\n\x1a"],
    ["csv", "a first word that a picture could begin with", "GIFT CARD,AMOUNT\r\n"],
    ["csv", "the same in Latin-1", "GIFT CARD,Caf\xe9\r\n"],
    ["txt", "initials that a program could begin with", "MZ and BM signed."],
    ["json", "a list behind white space", " \n[1, 2]"],
    ["json", "a number", "-1.5"],
    ["svg", "a declaration and a comment first", '<?xml version="1.0"?><!-- drawn --><svg:svg xmlns:svg="x"/>'],
  ])(".%s is accepted with %s", async (extension, _, content) => expect(await isOf(extension, content)).toBe(true));
});

/** Replaces the first tag by one from which the detector recognizes pictures of cameras. */
function withPrintTag(tiff: Buffer): Buffer {
  const first = tiff.readUInt32LE(4) + 2;
  tiff.writeUInt16LE(50_341, first);
  return tiff;
}

const programs: [string, Buffer][] = [
  ["a program of Windows", bytes(`MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0\xb8${"\0".repeat(43)}PE\0\0`)],
  ["a program of this machine", readFileSync(process.execPath).subarray(0, 65_536)],
  ["a program of macOS", bytes("\xcf\xfa\xed\xfe\x07\0\0\x01\x03\0\0\0\x02\0\0\0")],
  ["a class of Java", bytes("\xca\xfe\xba\xbe\0\0\0\x34\0\x1d\x0a\0\x06\0\x0f")],
  ["WebAssembly", bytes("\0asm\x01\0\0\0")],
  ["a script", bytes("#!/bin/sh\nrm -rf ~\n")],
  ["an archive", sampleOf("application/vnd.oasis.opendocument.text")],
  ["a compressed file", gzipSync("product,price")],
  ["a picture", sampleOf("image/png")],
  ["a PDF of text alone", bytes("%PDF-1.7\n1 0 obj\nendobj\n")],
  ["RTF", sampleOf("application/rtf")],
  ["a text with a NUL", bytes("product,pri\0ce")],
  ["an escape sequence", bytes("product\x1b[2Jprice")],
  ["UTF-32", bytes("\xff\xfe\0\0a\0\0\0")],
  ["half of UTF-16", bytes("\xff\xfea\0b")],
  ["half a character", bytes("\xff\xfe\x3d\xd8")],
];

describe("a text is rejected", () => {
  test.each(programs)("if it is %s", async (_, content) => {
    for (const extension of ["csv", "txt", "json", "xml", "svg"]) {
      expect(await isOf(extension, content), extension).toBe(false);
    }
  });

  test.each([
    ["xml", "not markup", "license"],
    ["svg", "not markup", "circle"],
    ["svg", "markup without a drawing", "<html><script>alert(1)</script></html>"],
    ["json", "markup", "<p>"],
    ["json", "a sentence", "License of 2026"],
    ["json", "nothing but white space", "  \n"],
  ])("as .%s if it is %s", async (extension, _, content) => expect(await isOf(extension, content)).toBe(false));
});

describe("a file is rejected if its signature is not where the format has it", () => {
  const pdf = "%PDF-1.7\n";
  test.each([
    ["pdf", "behind markup", `<html><script>alert(1)</script><!-- ${pdf} --></html>`],
    ["pdf", "behind markup and white space", `\n <svg onload="alert(1)">${pdf}`],
    ["pdf", "behind other text", `alert(1)//${pdf}`],
    ["pdf", "behind a program", bytes(`MZ\x90\0${pdf}`)],
    ["pdf", "behind 1,024 bytes", `${" ".repeat(1024)}${pdf}`],
    ["pdf", "nowhere", "license"],
    ["png", "behind an ID3 header", Buffer.concat([bytes("ID3\x04\0\0\0\0\0\0"), sampleOf("image/png")])],
    ["png", "behind a byte order mark", Buffer.concat([bytes("\xef\xbb\xbf"), sampleOf("image/png")])],
    ["jpg", "behind markup", Buffer.concat([bytes("<script>"), sampleOf("image/jpeg")])],
    ["gif", "behind a line break", Buffer.concat([bytes("\n"), sampleOf("image/gif")])],
    ["rtf", "behind markup", "<b>{\\rtf1}"],
  ])(".%s with the signature %s", async (extension, _, content) => expect(await isOf(extension, content)).toBe(false));
});

describe("a container is rejected if its content is of another type", () => {
  const zip = (...names: string[]) => Buffer.concat(names.map((name) => storedFile(name, "x")));
  const macros = storedFile(
    "[Content_Types].xml",
    '<Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/>',
  );
  const installer = sampleFile("sample.doc");
  installer.write("No", installer.indexOf("WordDocument", 0, "utf16le"), "utf16le");
  test.each<[string, string, Buffer]>([
    ["docx", "an OpenDocument text", sampleFile("sample.odt")],
    ["odt", "a Word document", sampleFile("sample.docx")],
    ["xlsx", "a Word document", sampleFile("sample.docx")],
    ["docx", "a document with macros", macros],
    ["docx", "any archive", zip("word.txt")],
    ["docx", "a package of Java", zip("META-INF/MANIFEST.MF", "[Content_Types].xml", "word/document.xml")],
    ["odt", "any archive", zip("content.xml")],
    ["xls", "an old Word document", sampleFile("sample.doc")],
    ["doc", "an old workbook", sampleFile("sample.xls")],
    ["doc", "a workbook with a password", sampleFile("password.xlsx")],
    ["doc", "a container of the same format with other content, such as an installer", installer],
    ["doc", "only the beginning of a container", bytes("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
  ])(".%s that is %s", async (extension, _, content) => expect(await isOf(extension, content)).toBe(false));
});

/** A file in an archive, without compression. */
function storedFile(name: string, content: string): Buffer {
  const head = Buffer.alloc(30);
  head.write("PK\x03\x04", "latin1");
  head.writeUInt16LE(20, 4);
  head.writeUInt32LE(content.length, 18);
  head.writeUInt32LE(content.length, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name + content)]);
}

describe("the type is decided", () => {
  const beginnings = [...programs.map(([, content]) => content), ...mimeTypes.map(sampleOf)];
  test("for a file that is broken anywhere", async () => {
    const broken = fc.record({
      start: fc.constantFrom(...beginnings.map((each) => each.subarray(0, 4096))),
      at: fc.nat(4096),
      by: fc.uint8Array({ maxLength: 64 }),
    });
    await fc.assert(
      fc.asyncProperty(broken, fc.constantFrom(...mimeTypes), async ({ start, at, by }, type) => {
        const content = Buffer.concat([start.subarray(0, at), by, start.subarray(at + by.length)]);
        expect(await isOfType(type, content)).toBeTypeOf("boolean");
      }),
      { numRuns: 2_000 },
    );
  });

  const large = (part: Buffer) => Buffer.alloc(5_242_880, part);
  test.each<[string, Buffer]>([
    ["text", large(bytes("a,b\n"))],
    ["UTF-16", Buffer.concat([bytes("\xff\xfe"), large(bytes("a\0"))])],
    ["an archive of a hundred thousand files", large(storedFile("word/x", "x"))],
    ["an archive of files without an end", large(Buffer.concat([streamedFile(), Buffer.alloc(64)]))],
    ["a compressed file that expands to 500 MB", gzipSync(Buffer.alloc(500_000_000))],
    ["nested ID3 headers", large(bytes("ID3\x04\0\0\0\0\0\0"))],
    ["byte order marks", large(bytes("\xef\xbb\xbf"))],
    ["brackets", large(bytes("["))],
    ["white space", large(bytes(" "))],
    ["the beginning of a drawing, repeated", large(bytes("<svg"))],
  ])("for 5 MB of %s", async (_, content) => {
    for (const type of ["image/svg+xml", "application/json", "application/pdf", "image/png"] as const) {
      expect(await isOfType(type, content)).toBeTypeOf("boolean");
    }
  });

  /** A file in an archive with its length after it. */
  function streamedFile(): Buffer {
    const entry = storedFile("word/x", "");
    entry.writeUInt16LE(8, 6);
    entry.writeUInt16LE(8, 8);
    return entry;
  }
});
