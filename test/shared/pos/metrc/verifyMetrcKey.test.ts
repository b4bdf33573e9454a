import { afterEach, beforeEach, expect, test } from "vitest";
import { verifyMetrcKey } from "../../../../shared/pos/metrc/verifyMetrcKey.ts";
import { FakeMetrc } from "../fakes/fakeMetrc.ts";
import type { FakeRequest } from "../fakes/fakeServer.ts";

let metrc: FakeMetrc;

beforeEach(async () => {
  metrc = new FakeMetrc(1, () => new Date());
  await metrc.start();
});
afterEach(() => metrc.close());

const check = (more: object = {}) =>
  verifyMetrcKey(
    { ...metrc.access, ...more },
    { url: metrc.url, firstPauseMs: 1, requestsPerSecond: Number.POSITIVE_INFINITY },
  );

const html = { kind: "answer", answer: { status: 401, body: "<html>401</html>" } } as const;
const denies = (path: RegExp, times = Number.POSITIVE_INFINITY) => {
  let left = times;
  metrc.faults = (request: FakeRequest) => (path.test(request.path) && left-- > 0 ? html : undefined);
};

test("a key whose permissions cannot be read may view sales, and may or may not manage them", async () => {
  expect(await check()).toEqual({ status: "unknown", reason: "permissions" });
});

test.each([
  [["View Sales", "Manage Employees"], { status: "ok" }],
  [["View Sales", "Manage Sales"], { status: "refused", reason: "may_manage_sales" }],
  [["sales"], { status: "refused", reason: "may_manage_sales" }],
  [["Manage Employees"], { status: "unknown", reason: "permissions" }],
])("permissions %j", async (permissions, expected) => {
  metrc.facility.habits = { permissions };
  expect(await check()).toEqual(expected);
});

test("a wrong key is rejected, and one that cannot be sent is rejected without a request", async () => {
  expect(await check({ userKey: "wrong" })).toEqual({ status: "refused", reason: "key" });
  const before = metrc.requests.length;
  expect(await check({ userKey: "a\nb" })).toEqual({ status: "refused", reason: "key" });
  expect(metrc.requests).toHaveLength(before);
});

test("a license that the key does not reach is named", async () => {
  expect(await check({ licenseNumber: "402R-00002" })).toEqual({ status: "refused", reason: "license_missing" });
  metrc.facility.habits = { isCamelCase: true };
  expect(await check({ licenseNumber: "402r-00001" })).toMatchObject({ reason: "no_view_sales" });
});

test("a 401 of the receipts does not mean that the key is wrong", async () => {
  denies(/receipts/);
  expect(await check()).toEqual({ status: "refused", reason: "no_view_sales" });
});

test("a single 401 rejects nothing", async () => {
  denies(/./, 1);
  expect(await check()).toMatchObject({ status: "unknown", reason: "permissions" });
});

test("an outage and a missing vendor key say nothing about the key", async () => {
  expect(await check({ vendorKey: "" })).toMatchObject({ status: "unknown", reason: "unavailable" });
  metrc.faults = () => ({ kind: "answer", answer: { status: 429, headers: { "retry-after": "60" } } });
  expect(await check()).toEqual({ status: "unknown", reason: "unavailable", retryAfter: 60 });
});
