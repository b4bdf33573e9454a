import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { echo } from "../../shared/api/echo.ts";
import { anyName, name, website, withoutOtherScheme } from "../../shared/api/schemas/requestFields.ts";
import { isOfType } from "../../shared/domain/documents/contentType.ts";
import { hasMatchingTag } from "../../shared/http/etag.ts";
import { sensitiveHasher } from "../../shared/platform/crypto/sensitiveHasher.ts";
import { compareHolder } from "../../shared/text/compareHolder.ts";
import { useTestServiceKey } from "../testServiceKey.ts";

useTestServiceKey();

// Callers send these inputs. The CPU time of quadratic work grows to 16 times if the size grows to four times.
const growth = 4;
const maxRatio = 10;
/** Shorter times are mostly noise. */
const minMs = 10;

async function measureMs(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return Math.max(minMs, Math.min(...times));
}

const repeat = (text: string) => (size: number) => text.repeat(Math.ceil(size / text.length));
const crbId = randomUUID();
const file = (part: string) => (size: number) => Buffer.alloc(size, Buffer.from(part, "latin1"));
const types = ["image/svg+xml", "application/json", "application/pdf", "image/png"] as const;

/** The name, the largest size in characters or bytes, the input of a size, and the work on it. */
const works: [string, number, (size: number) => unknown, (input: never) => unknown][] = [
  [
    "the hash of a name with blanks",
    400_000,
    (size) => `a${" ".repeat(size)}a`,
    (text: string) => sensitiveHasher(crbId).name(text),
  ],
  ["the check of a malformed ETag", 400_000, repeat('"'), (header: string) => hasMatchingTag(header, '"a"')],
  [
    "the check of a name of accents",
    480_000,
    (size) => `a${"\u0300\u0316".repeat(size / 2)}`,
    (text: string) => name.safeParse(text),
  ],
  [
    "the check of a trading name of accents",
    480_000,
    (size) => `a${"\u0300\u0316".repeat(size / 2)}`,
    (text: string) => anyName.safeParse(text),
  ],
  [
    "the check of a web address of dots",
    240_000,
    (size) => `${".".repeat(size)}:x`,
    (text: string) => website.safeParse(text),
  ],
  ["the check of a scheme", 240_000, (size) => `${".".repeat(size)}:x`, withoutOtherScheme],
  ...["llc ", "a co ", "l ", "x llc ", "a.", "& ", "a dba "].map((text): (typeof works)[number] => [
    `the comparison of a holder of ${JSON.stringify(text)}`,
    400_000,
    repeat(text),
    (licensee: string) => {
      const business = { name: licensee.slice(0, 255), dba: null, city: null };
      compareHolder({ licensee, tradeNames: [], locality: null }, business);
    },
  ]),
  ...["secret", "secret   ", "sk_", "api-key\\", "%25", '"user', "bearer "].map((text): (typeof works)[number] => [
    `the check of ${JSON.stringify(text)} for secrets`,
    1_048_576,
    repeat(text),
    echo,
  ]),
  ...[
    "a,b\n",
    "\xff\xfea\0",
    "ID3\x04\0\0\0\0\0\0",
    "\xef\xbb\xbf",
    "[",
    " ",
    "<svg",
    "PK\x03\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x06\0\0\0word/x",
  ].map((text): (typeof works)[number] => [
    `the type of a file of ${JSON.stringify(text)}`,
    5_242_880,
    file(text),
    async (content: Buffer) => {
      for (const type of types) await isOfType(type, content);
    },
  ]),
  [
    "the type of a compressed file",
    200_000_000,
    (size) => gzipSync(Buffer.alloc(size)),
    async (content: Buffer) => {
      for (const type of types) await isOfType(type, content);
    },
  ],
];

test.each(works)("%s takes time in proportion to its size", { retry: 2 }, async (_, maxSize, inputOf, work) => {
  const [small, large] = [inputOf(maxSize / growth), inputOf(maxSize)] as [never, never];
  const smallMs = await measureMs(() => work(small));
  const largeMs = await measureMs(() => work(large));
  expect(largeMs / smallMs).toBeLessThan(maxRatio);
});
