import { expect, test } from "vitest";
import { describeExchanges } from "../exchanges/describeExchanges.ts";
import { readExchangeFiles } from "../exchanges/exchangeFile.ts";

const files = readExchangeFiles(import.meta.dirname);

describeExchanges(import.meta.dirname, files);

test("no payload counts as captured, since none was recorded", () => {
  expect(files.filter(({ source }) => source.proof === "captured payloads")).toEqual([]);
});
