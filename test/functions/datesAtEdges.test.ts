import { beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { timezones } from "../../shared/api/enumerations.ts";
import type { Route } from "../../shared/api/operation.ts";
import { listCustomers } from "../../shared/api/operations/customers.ts";
import { listInventory } from "../../shared/api/operations/inventory.ts";
import { listInventoryLocations } from "../../shared/api/operations/inventoryLocations.ts";
import { listSales } from "../../shared/api/operations/sales.ts";
import { changeCrb } from "../../shared/store/crbs.ts";
import { indexingOptions } from "../../shared/store/indexingOptions.ts";
import { inventoryDayKey } from "../../shared/store/keys/inventory.ts";
import { locationInventoryList, type OrderedList, recordList } from "../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../shared/store/orderedList/recordWriter.ts";
import { addDays } from "../../shared/time/addDays.ts";
import { testContext } from "../requestEvent.ts";
import { setFence } from "../shared/store/orderedList/listUnderTest.ts";
import { useTestServiceKey } from "../testServiceKey.ts";
import { sampleCases } from "../thorough.ts";
import { useQueues } from "../useQueues.ts";
import { useTestBucket } from "../useTestBucket.ts";
import { useTestTable } from "../useTestTable.ts";
import { routes as allRoutes, givenServiceProvider, loadHandler, sampleEvent } from "./callHandler.ts";

useTestServiceKey();
useQueues();
useTestBucket();
const table = useTestTable();

/** Real calendar days from the first to the last one that yyyy-MM-dd can express. */
const realDays = sampleCases(
  [
    ...["0000-01-01", "0000-02-29", "0099-12-31", "1582-10-10", "1969-12-31", "2000-02-29", "2024-2-29", "2026-1-1"],
    ...["9999-12-26", "9999-12-31"],
  ],
  5,
);
const noDays = sampleCases(["1900-02-29", "2023-02-29", "2100-2-29", "0001-02-29", "2026-04-31"], 2);

const ids: Record<string, string> = {};
let secrets: Partial<Record<Route["caller"], string>>;
let another: Awaited<ReturnType<typeof givenServiceProvider>>["another"];
let setTimezone: (timezone: (typeof timezones)[number]) => Promise<unknown>;

beforeAll(async () => {
  const { spId, crbId, secret, ofCrb, ...provider } = await givenServiceProvider(table());
  another = provider.another;
  secrets = { serviceProvider: secret, crb: (await ofCrb(["admin"])).secret };
  Object.assign(ids, { sp_id: spId, crb_id: crbId, kind: "sales" });
  setTimezone = (timezone) =>
    changeCrb(table(), crbId, (stored) => ({ ...stored, record: { ...stored.record, timezone } }));
  const fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
  await setFence(table(), fence.key, fence.number);
  const write = async (list: OrderedList, kind: keyof typeof indexingOptions, { example }: { example: object }) => {
    const { data } = example as { data: Record<string, unknown>[] };
    const records = data.map((content) => ({ id: String(content.id), content }));
    await new RecordWriter(table(), list, { fence, ...indexingOptions[kind] }).write(records);
    return records[0]?.id ?? expect.fail();
  };
  ids.location_id = await write(recordList(crbId, "location"), "location", listInventoryLocations.success);
  await write(recordList(crbId, "sale"), "sale", listSales.success);
  await write(recordList(crbId, "customer"), "customer", listCustomers.success);
  await write(recordList(crbId, "inventory"), "inventory", listInventory.success);
  await write(locationInventoryList(crbId, ids.location_id), "location", listInventory.success);
  await table().put({ ...inventoryDayKey(crbId), day: "2026-03-01" });
});

const routes = allRoutes.map((route) => ({ ...route, query: route.query ?? route.operation.query }));

/** The fields of a shape that accept one text and not another one. */
const fieldsIn = (shape: object, accepted: string, rejected: string): string[] =>
  Object.entries(shape).flatMap(([name, schema]) => {
    const accepts = (text: string) => (schema as z.ZodType).safeParse(text).success;
    return accepts(accepted) && !accepts(rejected) ? [name] : [];
  });
const daysIn = (query: z.ZodObject) => fieldsIn(query.shape, "2026-02-28", "2026-02-30");

const dated = routes.filter(({ query }) => daysIn(query).length > 0);

/** The number of records of a list by offset, or on the first page of a list by cursor. */
const countOf = (json: { metadata?: { total: number }; data: unknown[] }): number =>
  json.metadata?.total ?? json.data.length;

async function call(route: (typeof routes)[number], query: Record<string, string>, body?: object) {
  const handler = await loadHandler(route.operation.handler);
  const event = sampleEvent(route, secrets[route.caller], ids);
  const values = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
  const sent = { ...event, multiValueQueryStringParameters: values, ...(body && { body: JSON.stringify(body) }) };
  const answer = await handler(sent, testContext);
  return { status: answer.statusCode, json: JSON.parse(answer.body) };
}

test("operations with days in their query are found", () => {
  expect(dated.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(["listSales", "listSalesDays", "listCustomers", "listInventory", "listLocationInventory"]),
  );
});

describe.each(dated)("$operationId accepts every real day", (route) => {
  const names = daysIn(route.query);

  test.each(names)("in %s", async (name) => {
    for (const day of realDays) {
      const { status, json } = await call(route, { [name]: day });
      // A past day of the inventory must not be in the future.
      const isAccepted = name === "date" ? [200, 422] : [200];
      expect([day, status, json.message]).toEqual([day, expect.toBeOneOf(isAccepted), json.message]);
      if (status === 422) expect(day > "2026").toBe(true);
    }
    for (const day of noDays) {
      const { status, json } = await call(route, { [name]: day });
      expect([day, status, Object.keys(json.fields)]).toEqual([day, 422, [`query.${name}`]]);
    }
  });

  const pairs = names.flatMap((from, i) => names.slice(i + 1).map((to) => [from, to] as const));
  const windows = [
    ["last_updated_from", "last_updated_to"],
    ["start_date", "end_date"],
  ].map(String);
  test.each(pairs)("in %s and %s together", async (from, to) => {
    const send = async (first: string, last: string) => {
      const { status, json } = await call(route, { [from]: first, [to]: last });
      return [first, last, status, status === 200 ? countOf(json) : Object.keys(json.fields)];
    };
    const all = countOf((await call(route, {})).json);
    const isWindow = windows.includes(String([from, to]));
    const isExcluded = from === "date";
    for (const [first, last, total] of [
      ["0000-01-01", "0000-01-01", isWindow ? 0 : expect.any(Number)],
      ["9999-12-31", "9999-12-31", isWindow ? 0 : expect.any(Number)],
      ["0000-01-01", "9999-12-31", isWindow ? all : expect.any(Number)],
    ] as const) {
      expect(await send(first, last)).toEqual([first, last, ...(isExcluded ? [422, ["query.date"]] : [200, total])]);
    }
    if (isWindow)
      expect(await send("9999-12-31", "0000-01-01")).toEqual([
        expect.anything(),
        expect.anything(),
        422,
        [`query.${to}`],
      ]);
  });
});

const edgeZones = ["Pacific/Guam", "Pacific/Kwajalein", "Pacific/Pago_Pago", "America/Adak"] as const;
describe.each(sampleCases(edgeZones, 2))("in the time zone %s", (timezone) => {
  test("every operation accepts the first and the last day", async () => {
    await setTimezone(timezone);
    for (const route of dated) {
      for (const name of daysIn(route.query)) {
        for (const day of ["0000-01-01", "9999-12-31"]) {
          const { status } = await call(route, { [name]: day });
          expect([route.operationId, name, day, status]).toEqual([
            route.operationId,
            name,
            day,
            // A past day of inventory must be past; rules may be listed for any day.
            name === "date" && day > "2026" && route.operationId !== "listSaleRules" ? 422 : 200,
          ]);
        }
      }
    }
  });
});

describe("dates in bodies", () => {
  const instants = [
    "",
    ...sampleCases(["T00:00:00.000Z", "T23:59:59.999Z", "T00:00:00.000+14:00", "T23:59:59.999-12:00"], 2),
  ];
  const inBodies = routes.flatMap((route) => {
    const { body } = route.operation;
    if (!body || !["serviceProvider", "crb"].includes(route.caller)) return [];
    const fields = "unwrap" in body ? (body as z.ZodDefault<z.ZodObject>).unwrap() : (body as z.ZodObject);
    const shape = fields.shape ?? {};
    const names = new Set([
      ...fieldsIn(shape, "2099-02-28", "2099-02-30"),
      ...fieldsIn(shape, "2099-02-28T00:00:00Z", "2099-02-30T00:00:00Z"),
    ]);
    return [...names].map((name) => ({ route, operationId: route.operationId, name }));
  });

  test("are found", () => {
    const found = inBodies.map(({ operationId, name }) => `${operationId} ${name}`);
    expect(found).toEqual(
      expect.arrayContaining([
        "updateCrbInfo established_date",
        "createCrbAccess expires_date",
        "replayWebhookEndpoint from",
      ]),
    );
  });

  test.each(inBodies)("$operationId in $name", async ({ route, name }) => {
    for (const day of realDays) {
      // Each credential has its own limit of requests.
      if (route.operation.rateLimit) secrets.serviceProvider = (await another()).secret;
      for (const instant of instants) {
        const { status } = await call(route, {}, { [name]: `${day}${instant}` });
        expect([day + instant, status]).toEqual([day + instant, expect.toBeOneOf([200, 404, 422])]);
      }
    }
  });
});

test("the calendar ends at the first and the last day that yyyy-MM-dd can express", () => {
  expect([addDays("0000-01-03", -7), addDays("9999-12-26", 7)]).toEqual(["0000-01-01", "9999-12-31"]);
  expect([addDays("0000-03-01", -1), addDays("9999-12-30", 1)]).toEqual(["0000-02-29", "9999-12-31"]);
});
