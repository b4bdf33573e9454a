import { expect, test } from "vitest";
import { apiAddress, institutionAddress, shortNameIn } from "../../../../../shared/web/console/app/address.ts";

const origin = "https://data.example.com";

test.each([
  ["/console", undefined, `${origin}/`],
  ["/console/", undefined, `${origin}/`],
  ["/console/front-range", "front-range", `${origin}/`],
  ["/v1/console/front-range", "front-range", `${origin}/v1/`],
])("the page at %s knows its institution and the address of the API", (pathname, shortName, api) => {
  expect(shortNameIn(pathname)).toBe(shortName);
  expect(apiAddress({ origin, pathname })).toBe(api);
  if (shortName) expect(institutionAddress(api, shortName)).toBe(origin + pathname);
});
