import { beforeAll, expect, test } from "vitest";
import { applyExport, findExportsSince } from "../../../../shared/domain/copies/applyChanges.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { storeExport } from "./exportedChanges.ts";

const table = useTestTable();
useTestBucket();
const at = (time: string) => new Date(`2026-11-20T${time}:00Z`);
const lost = "business-data-lost";
const bucket = () => ({ s3: serviceBucket().client, bucket: serviceBucket().name, tableName: lost });
const keyOf = (name: string) => ({ pk: { S: "COPY" }, sk: { S: name } });
const read = (name: string) => table().get({ pk: "COPY", sk: name }, { consistent: true });
const put = (name: string, value: string) => ({ Keys: keyOf(name), NewImage: { ...keyOf(name), value: { S: value } } });

async function apply(since: Date) {
  const { exports, missing } = await findExportsSince(bucket(), since);
  const counts = [];
  for (const each of exports) counts.push(await applyExport(table(), bucket(), each));
  return { hours: exports.map(({ from }) => from), counts, missing };
}

beforeAll(async () => {
  // The state of the restored copy, of 07:30.
  for (const name of ["unchanged", "changed", "deleted"]) await table().put({ pk: "COPY", sk: name, value: "copied" });
  await storeExport(serviceBucket(), lost, at("06:00"), [put("unchanged", "older than the copy")]);
  const binary = {
    ...keyOf("binary"),
    bytes: { B: Buffer.from([0, 255, 7]) },
    sets: { BS: [Buffer.from([1]), Buffer.from([2])] },
    nested: { M: { list: { L: [{ B: Buffer.from([9]) }, { N: "12.5" }, { NULL: true }] } } },
  };
  await storeExport(serviceBucket(), lost, at("07:00"), [
    put("changed", "07"),
    put("created", "07"),
    { Keys: keyOf("deleted") },
    { Keys: keyOf("binary"), NewImage: binary },
  ]);
  await storeExport(serviceBucket(), lost, at("08:00"), [
    { Keys: keyOf("created") },
    ...Array.from({ length: 1_100 }, (_, i) => put(`many-${i}`, String(i))),
  ]);
  await storeExport(serviceBucket(), lost, at("09:00"), [put("changed", "09")], { isComplete: false });
});

test("the changes since the copy make the table as it was at the end of the last export", async () => {
  const { hours, counts, missing } = await apply(at("07:30"));
  expect(hours).toEqual([at("07:00"), at("08:00")]);
  expect(counts).toEqual([
    { put: 3, deleted: 1 },
    { put: 1_100, deleted: 1 },
  ]);
  // The newest export is still in progress.
  expect(missing).toBeUndefined();
  expect((await read("unchanged"))?.value).toBe("copied");
  expect((await read("changed"))?.value).toBe("07");
  expect([await read("deleted"), await read("created")]).toEqual([undefined, undefined]);
  expect((await read("many-1099"))?.value).toBe("1099");
  const binary = (await read("binary")) ?? expect.fail();
  expect(Buffer.from(binary.bytes as Uint8Array)).toEqual(Buffer.from([0, 255, 7]));
  expect(Buffer.from((binary.nested as { list: Uint8Array[] }).list[0] ?? [])).toEqual(Buffer.from([9]));
  expect((binary.nested as { list: unknown[] }).list.slice(1)).toEqual([12.5, null]);
});

test("a repetition changes nothing", async () => {
  await table().put({ pk: "COPY", sk: "created", value: "of the first attempt" });
  await apply(at("07:30"));
  expect([(await read("changed"))?.value, await read("created")]).toEqual(["07", undefined]);
});

test("the chain ends before the first hour without a complete export", async () => {
  await storeExport(serviceBucket(), lost, at("10:00"), [put("changed", "10")]);
  const { hours, missing } = await apply(at("07:30"));
  expect([hours, missing]).toEqual([[at("07:00"), at("08:00")], at("09:00")]);
  expect((await read("changed"))?.value).toBe("07");
  const { exports, missing: first } = await findExportsSince(bucket(), at("05:30"));
  expect([exports, first]).toEqual([[], at("05:00")]);
});

test("a file in another format is named in the error", async () => {
  await storeExport(serviceBucket(), "business-data-other", at("07:00"), [{ Item: {} } as never]);
  const other = { ...bucket(), tableName: "business-data-other" };
  const { exports } = await findExportsSince(other, at("07:00"));
  const [found = expect.fail()] = exports;
  await expect(applyExport(table(), other, found)).rejects.toThrow(
    "changes/business-data-other/2026-11-20T07:00Z/AWSDynamoDB/data/01.json.gz has a line without keys",
  );
});
