import { beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import type { License } from "../../../../shared/api/schemas/license.ts";
import { importRegister } from "../../../../shared/domain/licenses/importRegister.ts";
import { readPresent } from "../../../../shared/domain/licenses/presentGeneration.ts";
import { type LicenseStores, searchLicenses } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { licensesKey } from "../../../../shared/store/keys/licenses.ts";
import { crashStep } from "../../store/crashInjection.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { fileRows, importResult } from "./registerFile.ts";
import { storesWith, useLicenseStores } from "./useLicenseStores.ts";

const createStores = useLicenseStores();
let stores: LicenseStores;
let clock: TestClock;
beforeEach(async () => {
  stores = await createStores();
  // Objects have the real clock's times.
  clock = new TestClock(new Date().toISOString());
});

const hour = 3_600_000;
const register = { state: "CO", authority: undefined } as const;
const importRows = (rows: Record<string, string>[], at = stores) =>
  importRegister(at, register, fileRows(rows), { clock });
const open = (at = stores) => searchLicenses(at, {}, { offset: 0, limit: 1000 });
const namesIn = async (at = stores) =>
  (await (await open(at)).read()).records.map((text) => (JSON.parse(text) as License).licensee).sort();
/** The stores for an import whose calls of a command fail. */
const storesRejecting = (rejected: string, error: Error) =>
  storesWith({ before: (command) => (command === rejected ? Promise.reject(error) : undefined) }, stores);
/** The current generation, and the number of generations with stored objects. */
async function readGenerations() {
  const current = (await readPresent(stores.table, { consistent: true }))?.generation;
  const names = (await stores.bucket.list("licenses/")).map(({ key }) => key.split("/")[1]);
  return { present: current, count: new Set(names).size };
}

test("before the first import there are no licenses, and the first import changes the state", async () => {
  const before = await open();
  expect(await before.read()).toEqual({ total: 0, records: [] });
  await importRows([{}]);
  const after = await open();
  expect(after.state.text).not.toBe(before.state.text);
  expect((await after.read()).total).toBe(1);
});

test("each change of the register changes the state, and an import without a change creates no state and no generation", async () => {
  await importRows([{}]);
  const [{ state }, before] = [await open(), await readGenerations()];
  await importRows([{}]);
  await importRows([]);
  expect((await open()).state).toEqual(state);
  expect(await readGenerations()).toEqual(before);
  await importRows([{ licensee: "Changed" }]);
  expect((await open()).state).not.toEqual(state);
});

test("loaded objects are not read again until there is another generation", async () => {
  await importRows([{}, { license_identifier: "R-2" }]);
  const read: string[] = [];
  const reader = storesWith(
    { before: (_, { Key }) => read.push(typeof Key === "string" ? "object" : "pointer") },
    stores,
  );
  await namesIn(reader);
  expect(read.splice(0)).toEqual(["pointer", "object", "object"]);
  await namesIn(reader);
  expect(read.splice(0)).toEqual(["pointer"]);
  await (await searchLicenses(reader, { name: "nobody" }, { offset: 0, limit: 10 })).read();
  expect(read.splice(0)).toEqual(["pointer"]);
  await importRows([{ licensee: "Changed" }]);
  await namesIn(reader);
  expect(read.splice(0)).toEqual(["pointer", "object", "object"]);
});

describe("an import that is killed", () => {
  test("has changed everything or nothing, and the next import works as if it had not run", async () => {
    const rows = [{ licensee: "New" }, { license_identifier: "R-2", licensee: "Another" }];
    const outcomes = new Set<string>();
    for (let at = 0, done = false; !done; at += crashStep) {
      stores = await createStores();
      await importRows([{ licensee: "Old" }]);
      let count = 0;
      const kill = () => {
        if (count++ === at) throw new Error("killed");
      };
      const crashing = storesWith({ before: kill, after: kill }, stores);
      done =
        (await importRows(rows, crashing).then(
          () => count <= at,
          (error: Error) => expect(error.message).toBe("killed"),
        )) === true;
      const names = await namesIn();
      outcomes.add(names.join());
      expect(["Old", "Another,New"]).toContain(names.join());
      await importRows(rows);
      expect(await namesIn()).toEqual(["Another", "New"]);
    }
    expect([...outcomes]).toEqual(["Old", "Another,New"]);
  });

  test("leaves objects that an import removes a day later, and not before", async () => {
    await importRows([{ licensee: "First" }]);
    const crashing = storesRejecting("PutItemCommand", new Error("killed"));
    await expect(importRows([{ licensee: "Killed" }], crashing)).rejects.toThrow("killed");
    expect((await readGenerations()).count).toBe(2);
    clock.advance(23 * hour);
    await importRows([{ licensee: "Second" }]);
    expect((await readGenerations()).count).toBe(3);
    clock.advance(2 * hour);
    await importRows([{ licensee: "Third" }]);
    // The first generation ended two hours ago, the second just now. The killed one is removed.
    expect((await readGenerations()).count).toBe(3);
    clock.advance(25 * hour);
    await importRows([{ licensee: "Fourth" }]);
    expect((await readGenerations()).count).toBe(2);
    expect(await namesIn()).toEqual(["Fourth"]);
  });

  test("succeeds even if the removal of old generations fails", async () => {
    const failing = storesRejecting("ListObjectsV2Command", new ServiceError("unavailable"));
    expect(await importRows([{}], failing)).toMatchObject({ created: 1 });
    expect((await namesIn()).length).toBe(1);
  });
});

describe("simultaneous imports", () => {
  test("all succeed, each with its own counts", async () => {
    const files = Array.from({ length: 5 }, (_, i) => [{ license_identifier: `N-${i}`, licensee: `Name ${i}` }, {}]);
    const results = await Promise.all(files.map((rows) => importRows(rows)));
    expect(results.reduce((sum, { created }) => sum + created, 0)).toBe(6);
    expect(results.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(4);
    expect(await namesIn()).toEqual(["Green Leaf LLC", "Name 0", "Name 1", "Name 2", "Name 3", "Name 4"]);
  });

  test("make an import give up if others always finish first, and its error says so", async () => {
    let others = 0;
    const overtake = async (command: string) => {
      if (command === "PutItemCommand") await importRows([{ licensee: `Other ${others++}` }]);
    };
    const racedStores = storesWith({ before: overtake }, stores);
    await expect(importRows([{ license_identifier: "R-2" }], racedStores)).rejects.toThrow(
      /finished during this one.*Run it again/,
    );
    expect(await namesIn()).toEqual([`Other ${others - 1}`]);
  });

  test.each(["at once", "after another one"])(
    "an import whose last response is lost recognizes that it has succeeded, %s",
    async (when) => {
      let lost = false;
      const lose = async (command: string, { Item }: Record<string, unknown>) => {
        if (command !== "PutItemCommand" || lost) return;
        lost = true;
        // Stored before the call, as if the response to the call had been lost and the client had sent it again.
        await stores.table.put(Item as never);
        if (when !== "at once") await importRows([{ license_identifier: "R-2" }]);
      };
      const failingStores = storesWith({ before: lose }, stores);
      expect(await importRows([{}], failingStores)).toEqual(importResult({ created: 1 }));
      expect((await namesIn()).length).toBe(when === "at once" ? 1 : 2);
    },
  );
});

describe("a search whose generation was removed", () => {
  const removeObjects = async (name: string | undefined) => {
    for (const { key } of await stores.bucket.list(`licenses/${name}/`)) await stores.bucket.remove(key);
  };

  test("continues in the current generation", async () => {
    await importRows([{ licensee: "Old" }]);
    const late = await open();
    const { present: current } = await readGenerations();
    await importRows([{ licensee: "New" }]);
    await removeObjects(current);
    const { records } = await late.read();
    expect(records.map((text) => JSON.parse(text).licensee)).toEqual(["New"]);
  });

  test("fails if the current generation's objects are missing, and works again when they are back", async () => {
    await importRows([{}]);
    const { present: current } = await readGenerations();
    const { key } = (await stores.bucket.list(`licenses/${current}/index`))[0] ?? expect.fail();
    const index = await stores.bucket.readBytes(key);
    await stores.bucket.remove(key);
    await expect(namesIn()).rejects.toThrow("does not exist");
    await stores.bucket.storeBytes(key, index);
    const pack = await stores.bucket.readBytes(`licenses/${current}/0`);
    await stores.bucket.remove(`licenses/${current}/0`);
    await expect(namesIn()).rejects.toThrow("does not exist");
    await stores.bucket.storeBytes(`licenses/${current}/0`, pack);
    expect(await namesIn()).toEqual(["Green Leaf LLC"]);
  });

  test("is empty if no generation is current", async () => {
    await importRows([{}]);
    const late = await open();
    await removeObjects((await readGenerations()).present);
    await stores.table.delete(licensesKey);
    expect(await late.read()).toEqual({ total: 0, records: [] });
  });
});
