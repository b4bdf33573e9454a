import { beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import type { License } from "../../../../shared/api/schemas/license.ts";
import { importRegister } from "../../../../shared/domain/licenses/importRegister.ts";
import { readPresent } from "../../../../shared/domain/licenses/presentGeneration.ts";
import { type LicenseStores, searchLicenses } from "../../../../shared/domain/licenses/searchLicenses.ts";
import { licensesKey } from "../../../../shared/store/keys/licenses.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { fileRows } from "./registerFile.ts";
import { storesWith, useLicenseStores } from "./useLicenseStores.ts";

const createStores = useLicenseStores();
let stores: LicenseStores;
let clock: TestClock;
beforeEach(async () => {
  stores = await createStores();
  // Objects have the store's own times.
  clock = new TestClock(new Date().toISOString());
});

const hour = 3_600_000;
const register = { state: "CO", authority: undefined } as const;
const take = (rows: Record<string, string>[], at = stores) => importRegister(at, register, fileRows(rows), { clock });
const open = (at = stores) => searchLicenses(at, {}, { offset: 0, limit: 1000 });
const namesIn = async (at = stores) =>
  (await (await open(at)).read()).records.map((text) => (JSON.parse(text) as License).licensee).sort();
/** The present generation, and all of which objects are stored. */
async function generations() {
  const present = (await readPresent(stores.table, { consistent: true }))?.generation;
  const names = (await stores.bucket.list("licenses/")).map(({ key }) => key.split("/")[1]);
  return { present, count: new Set(names).size };
}

test("before any import there is nothing, and a state that the first one ends", async () => {
  const before = await open();
  expect(await before.read()).toEqual({ total: 0, records: [] });
  await take([{}]);
  const after = await open();
  expect(after.state.text).not.toBe(before.state.text);
  expect((await after.read()).total).toBe(1);
});

test("each change makes another state, what changes nothing makes none and no generation", async () => {
  await take([{}]);
  const [{ state }, before] = [await open(), await generations()];
  await take([{}]);
  await take([]);
  expect((await open()).state).toEqual(state);
  expect(await generations()).toEqual(before);
  await take([{ licensee: "Changed" }]);
  expect((await open()).state).not.toEqual(state);
});

test("what is loaded once is not read again, until there is another generation", async () => {
  await take([{}, { license_identifier: "R-2" }]);
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
  await take([{ licensee: "Changed" }]);
  await namesIn(reader);
  expect(read.splice(0)).toEqual(["pointer", "object", "object"]);
});

describe("an import that is cut off", () => {
  test("at any call has changed all or nothing, and the next one goes on as if it had not been", async () => {
    const rows = [{ licensee: "New" }, { license_identifier: "R-2", licensee: "Another" }];
    const outcomes = new Set<string>();
    for (let at = 0, done = false; !done; at++) {
      stores = await createStores();
      await take([{ licensee: "Old" }]);
      let count = 0;
      const kill = () => {
        if (count++ === at) throw new Error("killed");
      };
      const crashing = storesWith({ before: kill, after: kill }, stores);
      done =
        (await take(rows, crashing).then(
          () => count <= at,
          (error: Error) => expect(error.message).toBe("killed"),
        )) === true;
      const names = await namesIn();
      outcomes.add(names.join());
      expect(["Old", "Another,New"]).toContain(names.join());
      await take(rows);
      expect(await namesIn()).toEqual(["Another", "New"]);
    }
    expect([...outcomes]).toEqual(["Old", "Another,New"]);
  });

  test("leaves objects that are removed by an import a day later, and not before", async () => {
    await take([{ licensee: "First" }]);
    const crashing = storesWith(
      {
        before: (command) => {
          if (command === "PutItemCommand") throw new Error("killed");
        },
      },
      stores,
    );
    await expect(take([{ licensee: "Killed" }], crashing)).rejects.toThrow("killed");
    expect((await generations()).count).toBe(2);
    clock.advance(23 * hour);
    await take([{ licensee: "Second" }]);
    expect((await generations()).count).toBe(3);
    clock.advance(2 * hour);
    await take([{ licensee: "Third" }]);
    // The first one ended two hours ago, the second just now; the killed one is gone.
    expect((await generations()).count).toBe(3);
    clock.advance(25 * hour);
    await take([{ licensee: "Fourth" }]);
    expect((await generations()).count).toBe(2);
    expect(await namesIn()).toEqual(["Fourth"]);
  });

  test("by the store while it removes what is old is done all the same", async () => {
    const failing = storesWith(
      {
        before: (command) => {
          if (command === "ListObjectsV2Command") throw new ServiceError("unavailable");
        },
      },
      stores,
    );
    expect(await take([{}], failing)).toMatchObject({ created: 1 });
    expect((await namesIn()).length).toBe(1);
  });
});

describe("imports at once", () => {
  test("come all through, each with its own counts", async () => {
    const files = Array.from({ length: 5 }, (_, i) => [{ license_identifier: `N-${i}`, licensee: `Name ${i}` }, {}]);
    const results = await Promise.all(files.map((rows) => take(rows)));
    expect(results.reduce((sum, { created }) => sum + created, 0)).toBe(6);
    expect(results.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(4);
    expect(await namesIn()).toEqual(["Green Leaf LLC", "Name 0", "Name 1", "Name 2", "Name 3", "Name 4"]);
  });

  test("that always end first make one give up, which says so", async () => {
    let others = 0;
    const overtaken = storesWith(
      {
        before: async (command) => {
          if (command === "PutItemCommand") await take([{ licensee: `Other ${others++}` }]);
        },
      },
      stores,
    );
    await expect(take([{ license_identifier: "R-2" }], overtaken)).rejects.toThrow(/ended meanwhile.*run it again/);
    expect(await namesIn()).toEqual([`Other ${others - 1}`]);
  });

  test.each(["at once", "after another one"])(
    "one whose last answer is lost knows that it has ended, %s",
    async (when) => {
      let lost = false;
      const unlucky = storesWith(
        {
          before: async (command, { Item }) => {
            if (command !== "PutItemCommand" || lost) return;
            lost = true;
            // Stored before the call that tells of it, as where that is sent a second time.
            await stores.table.put(Item as never);
            if (when !== "at once") await take([{ license_identifier: "R-2" }]);
          },
        },
        stores,
      );
      expect(await take([{}], unlucky)).toEqual({ created: 1, changed: 0, unchanged: 0, refused: [] });
      expect((await namesIn()).length).toBe(when === "at once" ? 1 : 2);
    },
  );
});

describe("a search whose generation is gone", () => {
  const removeObjects = async (name: string | undefined) => {
    for (const { key } of await stores.bucket.list(`licenses/${name}/`)) await stores.bucket.remove(key);
  };

  test("goes on in the one that took its place", async () => {
    await take([{ licensee: "Old" }]);
    const late = await open();
    const { present } = await generations();
    await take([{ licensee: "New" }]);
    await removeObjects(present);
    const { records } = await late.read();
    expect(records.map((text) => JSON.parse(text).licensee)).toEqual(["New"]);
  });

  test("says what is wrong when none did, and forgets it when it is right again", async () => {
    await take([{}]);
    const { present } = await generations();
    const { key } = (await stores.bucket.list(`licenses/${present}/index`))[0] ?? expect.fail();
    const index = await stores.bucket.readBytes(key);
    await stores.bucket.remove(key);
    await expect(namesIn()).rejects.toThrow("does not exist");
    await stores.bucket.storeBytes(key, index);
    const pack = await stores.bucket.readBytes(`licenses/${present}/0`);
    await stores.bucket.remove(`licenses/${present}/0`);
    await expect(namesIn()).rejects.toThrow("does not exist");
    await stores.bucket.storeBytes(`licenses/${present}/0`, pack);
    expect(await namesIn()).toEqual(["Green Leaf LLC"]);
  });

  test("ends with the pointer, too", async () => {
    await take([{}]);
    const late = await open();
    await removeObjects((await generations()).present);
    await stores.table.delete(licensesKey);
    expect(await late.read()).toEqual({ total: 0, records: [] });
  });
});
