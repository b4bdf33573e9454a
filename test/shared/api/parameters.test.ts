import { describe, expect, test } from "vitest";
import type { Operation, Route } from "../../../shared/api/operation.ts";
import { getCustomer, listCustomers, searchCustomers } from "../../../shared/api/operations/customers.ts";
import { getInventory, listInventory, listLocationInventory } from "../../../shared/api/operations/inventory.ts";
import { listInventoryLocations } from "../../../shared/api/operations/inventoryLocations.ts";
import { listProducts } from "../../../shared/api/operations/products.ts";
import { listSales } from "../../../shared/api/operations/sales.ts";
import { requestEvent } from "../../requestEvent.ts";
import { validateEvent } from "../../validateEvent.ts";

/** Validates a query at a route of an operation, by default the first one. */
function check(operation: Operation, search: string, route: Route = operation.routes[0]) {
  const parameters = new URLSearchParams(search);
  const query = Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
  return validateEvent(operation, { ...requestEvent({ resource: route.path, query }), route });
}

const page = { limit: 1000, offset: 0 };
/** The result of a request with nothing but this query. */
const accepted = (query: object) => ({ path: {}, query: { ...page, ...query }, headers: {}, body: undefined });

describe("accepted queries", () => {
  test.each([
    ["", {}],
    ["limit=1&offset=0", { limit: 1 }],
    ["limit=1000&offset=2147483647", { offset: 2147483647 }],
    ["limit=007", { limit: 7 }],
    ["last_updated_from=2026-3-5", { last_updated_from: "2026-03-05" }],
    [
      "last_updated_from=2026-03-05&last_updated_to=2026-3-05",
      { last_updated_from: "2026-03-05", last_updated_to: "2026-03-05" },
    ],
    ["last_updated_to=2024-02-29", { last_updated_to: "2024-02-29" }],
  ])("%s", (search, query) => {
    expect(check(listCustomers, search)).toEqual(accepted(query));
  });
});

const unknown = "is not a parameter of this operation";
const limit = "must be an integer from 1 to 1000";
const offset = "must be an integer from 0 to 2147483647";
const date = "must be a date, yyyy-MM-dd";
const realDate = "must be a real calendar date";

describe("rejected queries", () => {
  test.each([
    ["limit=0", { "query.limit": { message: limit, value: "0" } }],
    ["limit=1001", { "query.limit": { message: limit, value: "1001" } }],
    ["limit=abc", { "query.limit": { message: limit, value: "abc" } }],
    ["limit=", { "query.limit": { message: limit, value: "" } }],
    ["limit=1.5", { "query.limit": { message: limit, value: "1.5" } }],
    ["limit=1e2", { "query.limit": { message: limit, value: "1e2" } }],
    ["limit=%201", { "query.limit": { message: limit, value: " 1" } }],
    ["limit=1&limit=1", { "query.limit": { message: "must be sent only once", value: ["1", "1"] } }],
    ["offset=-1", { "query.offset": { message: offset, value: "-1" } }],
    ["offset=2147483648", { "query.offset": { message: offset, value: "2147483648" } }],
    ["last_updated_from=2026-02-30", { "query.last_updated_from": { message: realDate, value: "2026-02-30" } }],
    ["last_updated_from=2023-2-29", { "query.last_updated_from": { message: realDate, value: "2023-2-29" } }],
    ["last_updated_from=2026-13-01", { "query.last_updated_from": { message: date, value: "2026-13-01" } }],
    ["last_updated_to=", { "query.last_updated_to": { message: date, value: "" } }],
    ["last_updated_to=2026-03-02T00:00", { "query.last_updated_to": { message: date, value: "2026-03-02T00:00" } }],
    [
      "last_updated_from=2026-10-1&last_updated_to=2026-9-30",
      { "query.last_updated_to": { message: "must not be before last_updated_from", value: "2026-9-30" } },
    ],
    [
      "limit=0&offset=x&last_updated_from=2026-03-02&last_updated_to=2026-03-01",
      {
        "query.limit": { message: limit, value: "0" },
        "query.offset": { message: offset, value: "x" },
        "query.last_updated_to": { message: "must not be before last_updated_from", value: "2026-03-01" },
      },
    ],
    [
      "limit=1&limit=1&last_updated_from=2026-03-02&last_updated_to=2026-03-01",
      {
        "query.limit": { message: "must be sent only once", value: ["1", "1"] },
        "query.last_updated_to": { message: "must not be before last_updated_from", value: "2026-03-01" },
      },
    ],
    [
      "last_updated_from=2026-02-30&last_updated_to=2026-02-01",
      { "query.last_updated_from": { message: realDate, value: "2026-02-30" } },
    ],
    [`limit=${"9".repeat(500)}`, { "query.limit": { message: limit, value: "9".repeat(200) } }],
  ])("%s", (search, fields) => {
    expect(check(listCustomers, search)).toEqual({ fields });
  });
});

describe("customer search", () => {
  test("search terms are trimmed", () => {
    expect(check(searchCustomers, "email=%20a@b.example%20")).toEqual(accepted({ email: "a@b.example" }));
  });

  const none = { query: { message: "must have at least one of phone, email, first_name, last_name, pos_customer_id" } };
  test("a query without a term fails as a whole, and its other failing fields are reported too", () => {
    expect(check(searchCustomers, "name=Smith")).toMatchObject({ fields: none });
    expect(check(searchCustomers, "limit=0")).toMatchObject({
      fields: { ...none, "query.limit": { message: limit, value: "0" } },
    });
  });

  test.each(["phone", "email", "first_name", "last_name", "pos_customer_id"])(
    "the value of %s is never echoed",
    (name) => {
      const tooLong = "x".repeat(256);
      for (const search of [`${name}=`, `${name}=%20`, `${name}=Secret&${name}=Secret`, `${name}=${tooLong}`]) {
        const { fields } = check(searchCustomers, search);
        expect(Object.keys(fields ?? {})).toEqual([`query.${name}`]);
        expect(fields?.[`query.${name}`]).toEqual({ message: expect.any(String) });
      }
    },
  );
});

const updatedTo = { "query.last_updated_to": { message: "must not be before last_updated_from", value: "2026-03-01" } };

test.each([listProducts, listInventory, listInventoryLocations, listLocationInventory, listSales])(
  "$handler: a window of updates needs its days in order, and can be combined with a page",
  (operation) => {
    expect(check(operation, "limit=2&last_updated_from=2026-3-1&last_updated_to=2026-3-2")).toEqual(
      accepted({ limit: 2, last_updated_from: "2026-03-01", last_updated_to: "2026-03-02" }),
    );
    expect(check(operation, "last_updated_from=2026-03-02&last_updated_to=2026-03-01")).toEqual({ fields: updatedTo });
  },
);

describe.each([listInventory, getInventory, listLocationInventory])("the parameter expand of $handler", (operation) => {
  test.each([
    ["", undefined],
    ["expand=true", true],
    ["expand=false", false],
  ])("accepts %j", (search, expand) => {
    expect(check(operation, search)).toMatchObject({ query: expand === undefined ? {} : { expand } });
    expect("expand" in (check(operation, search) as { query: object }).query).toBe(expand !== undefined);
  });

  test.each(["", "True", "TRUE", "1", "yes", "on", " true", "null"])("rejects %j", (value) => {
    expect(check(operation, `expand=${value}`)).toEqual({
      fields: { "query.expand": { message: "must be one of true, false", value } },
    });
  });

  test("is rejected if given twice", () => {
    expect(check(operation, "expand=true&expand=true")).toEqual({
      fields: { "query.expand": { message: "must be sent only once", value: ["true", "true"] } },
    });
  });
});

describe("the parameter date of a location's inventory", () => {
  test("is a day, and can be combined with page and expand", () => {
    expect(check(listLocationInventory, "date=2026-3-5&expand=true&offset=7")).toEqual(
      accepted({ offset: 7, date: "2026-03-05", expand: true }),
    );
  });

  test.each([
    ["2026-02-29", realDate],
    ["2026-03-05T00:00:00Z", date],
    ["yesterday", date],
    ["", date],
  ])("rejects %j", (value, message) => {
    expect(check(listLocationInventory, `date=${value}`)).toEqual({ fields: { "query.date": { message, value } } });
  });

  const conflict = {
    "query.date": {
      message: "must not be sent together with last_updated_from or last_updated_to",
      value: "2026-03-05",
    },
  };
  test.each([
    "last_updated_from=2026-03-05",
    "last_updated_to=2026-03-05",
    "last_updated_from=2026-03-01&last_updated_to=2026-03-02",
  ])("is rejected together with %s", (window) => {
    expect(check(listLocationInventory, `date=2026-03-05&${window}`)).toEqual({ fields: conflict });
  });

  test("its conflict with a window is reported together with the other failing fields", () => {
    expect(
      check(listLocationInventory, "date=2026-03-05&last_updated_from=2026-03-02&last_updated_to=2026-03-01&limit=0"),
    ).toEqual({ fields: { "query.limit": { message: limit, value: "0" }, ...updatedTo, ...conflict } });
    expect(check(listLocationInventory, "date=2026-03-05&last_updated_from=soon")).toEqual({
      fields: { "query.last_updated_from": { message: date, value: "soon" }, ...conflict },
    });
    expect(check(listLocationInventory, "date=2026-03-05&last_updated_to=")).toEqual({
      fields: { "query.last_updated_to": { message: date, value: "" }, ...conflict },
    });
  });

  test("is rejected by other lists", () => {
    expect(check(listInventory, "date=soon")).toEqual({ fields: { "query.date": { message: unknown } } });
  });
});

describe("parameters of sales", () => {
  const [spRoute, crbRoute] = listSales.routes;
  const id = "3C8F1B70-5D2E-5A94-B6C3-F27E90A1D845";

  test.each([spRoute, crbRoute])("$operationId accepts all filters together", (route) => {
    const search =
      "start_date=2026-1-9&end_date=2026-01-09&last_updated_from=2026-02-01&last_updated_to=2026-02-28" +
      `&customer_id=${id}&pos_customer_id=%20Nº%201%20&limit=5`;
    const days = { start_date: "2026-01-09", end_date: "2026-01-09" };
    const updated = { last_updated_from: "2026-02-01", last_updated_to: "2026-02-28" };
    const customer = { customer_id: id.toLowerCase(), pos_customer_id: "Nº 1" };
    expect(check(listSales, search, route)).toEqual(accepted({ limit: 5, ...days, ...updated, ...customer }));
  });

  const tooLong = "x".repeat(256);
  test.each([spRoute, crbRoute])("$operationId rejects invalid values", (route) => {
    const fields = (search: string) => check(listSales, search, route).fields;
    expect(fields("start_date=2026-02-30")).toEqual({ "query.start_date": { message: realDate, value: "2026-02-30" } });
    expect(fields("end_date=")).toEqual({ "query.end_date": { message: date, value: "" } });
    expect(fields("start_date=2026-03-02&end_date=2026-3-1")).toEqual({
      "query.end_date": { message: "must not be before start_date", value: "2026-3-1" },
    });
    expect(fields("pos_customer_id=")).toEqual({
      "query.pos_customer_id": { message: "must not be empty", value: "" },
    });
    expect(fields(`pos_customer_id=${tooLong}`)).toEqual({
      "query.pos_customer_id": { message: "must have at most 255 characters", value: tooLong.slice(0, 200) },
    });
    expect(fields(`customer_id=${id}&customer_id=${id}`)).toEqual({
      "query.customer_id": { message: "must be sent only once", value: [id, id] },
    });
  });

  test("two windows with their days out of order are reported together", () => {
    const search = "last_updated_from=2026-03-02&last_updated_to=2026-03-01&start_date=2026-03-02&end_date=2026-03-01";
    expect(check(listSales, search)).toEqual({
      fields: { ...updatedTo, "query.end_date": { message: "must not be before start_date", value: "2026-03-01" } },
    });
  });

  const noUuid = ["x", "1048213", "null", `${id}0`];
  test.each(noUuid)(
    "customer_id %j is malformed for a service provider, and matches no customer for a CRB",
    (value) => {
      expect(check(listSales, `customer_id=${value}`, spRoute)).toEqual({
        fields: { "query.customer_id": { message: "must be a uuid", value } },
      });
      const query = accepted({ customer_id: value.toLowerCase() });
      expect(check(listSales, `customer_id=${value}`, crbRoute)).toEqual(query);
    },
  );

  test("an empty or overlong customer_id is rejected in both path families", () => {
    for (const route of [spRoute, crbRoute]) {
      for (const value of ["", tooLong]) {
        expect(Object.keys(check(listSales, `customer_id=${value}`, route).fields ?? {})).toEqual([
          "query.customer_id",
        ]);
      }
    }
  });
});

describe("an unknown parameter is rejected, and its value is not repeated", () => {
  test.each([
    [getCustomer, "limit=0&limit=", { "query.limit": { message: unknown } }],
    [listCustomers, "Limit=0", { "query.Limit": { message: `${unknown}; did you mean limit?` } }],
    [
      listCustomers,
      "last-updated-form=2026-03-05",
      { "query.last-updated-form": { message: `${unknown}; did you mean last_updated_from?` } },
    ],
    [listCustomers, "__proto__=x", { "query.__proto__": { message: unknown } }],
    [listCustomers, `${"x".repeat(50_000)}=1`, { [`query.${"x".repeat(200)}`]: { message: unknown } }],
  ])("%#", (operation, search, fields) => {
    expect(check(operation, search)).toEqual({ fields });
  });
});
