import { capitalized } from "../scaffold/capitalized.ts";
import { type Draft, filesOf, firstKind } from "./draft.ts";

// What a new POS is tested by, as text: a fake of it, and the test of its mapping. The formatter breaks its lines.

/** The store of the fake. */
export const storeId = "77";

/** The files below test/, by their path in the project. */
export function testTexts(draft: Draft): Map<string, string> {
  const files = filesOf(draft);
  return new Map([
    [files.fake, fakeText(draft)],
    [files.test, testText(draft)],
  ]);
}

/** What the fake lets in by: nothing that is found by chance in what must not hold it. */
function credentialsText({ page, credentials }: Draft): string {
  const texts = credentials.map(({ name, type, header }) =>
    type === "number" ? `${name}: 910_273_645_546` : `${name}: "${page}-${header.slice(2)}"`,
  );
  return `{ ${texts.join(", ")} }`;
}

const ownRow = {
  retail: "first_name: customer.firstName, last_name: customer.lastName, birth_date: customer.dob,",
  wholesale: "name: customer.lastName, license_number: customer.license,",
} as const;

const fakeText = (
  draft: Draft,
): string => `import { type FakeAnswer, type FakeRequest, FakeServer } from "./fakeServer.ts";
import { iso, Shop, type ShopCustomer, type ShopSize } from "./shop.ts";

/** A stand-in for ${draft.posType}, as far as the connector asks it (docs/pos/${draft.page}.md). */
// TODO: answer as the API's documents and examples show, also in what they leave open.
export class Fake${capitalized(draft.name)} extends FakeServer {
  readonly credentials = ${credentialsText(draft)};
  readonly shop: Shop;

  constructor(seed: number | string, size: ShopSize, now?: () => Date) {
    super((request) => this.#answer(request));
    if (now) this.now = now;
    this.shop = new Shop(seed, size, () => this.now());
  }

  #answer({ path, query, headers }: FakeRequest): FakeAnswer {
    const expected = { ${draft.credentials.map(({ name, header }) => `"${header}": this.credentials.${name}`).join(", ")} };
    const isLetIn = Object.entries(expected).every(([header, value]) => headers[header] === String(value));
    if (!isLetIn) return { status: 401, body: { message: "Unauthorized" } };
    switch (path) {
      case "/v1/stores":
        return { body: [{ id: ${storeId}, name: "Boulder", address: "412 Pearl Street, Boulder, CO 80302" }] };
      case "/v1/customers":
        return { body: query.get("store_id") === "${storeId}" ? this.#customers(query).map(customerRow) : [] };
      default:
        return { status: 404, body: { message: "Not found" } };
    }
  }

  /** A page of those who have changed since, in the order of their ids. */
  #customers(query: URLSearchParams): ShopCustomer[] {
    const { customers, views } = this.shop;
    const since = Date.parse(query.get("updated_since") ?? "1970-01-01T00:00:00Z");
    const found = views.of("customers", \`\${since}\`, () =>
      customers.filter(({ changedAt }) => changedAt > since).toSorted((a, b) => a.number - b.number),
    );
    const size = Math.min(100, Number(query.get("page_size")));
    const start = (Number(query.get("page")) - 1) * size;
    return found.slice(start, start + size);
  }
}

/** With what must be kept nowhere. */
function customerRow(customer: ShopCustomer) {
  return {
    id: customer.number,
    ${ownRow[draft.businessType]}
    street: customer.street,
    city: "Boulder",
    state: "CO",
    zip: "80302",
    phone: customer.phone,
    email: customer.email,
    notes: \`Plantednote\${customer.number}\`,
    updated_at: iso(customer.changedAt),
  };
}
`;

const mappings = {
  retail: `[{}, { pos_customer_id: "1", first_name: null, dob: null, phone: null, pos_updated_date: null }],
  [{ first_name: "Robin", last_name: " Reed " }, { first_name: "Robin", last_name: "Reed" }],
  [{ birth_date: "1990-05-31T00:00:00Z" }, { dob: "1990-05-31" }],
  [{ birth_date: "soon" }, { dob: null }],`,
  wholesale: `[{}, { pos_customer_id: "1", last_name: null, phone: null, other_id: null, pos_updated_date: null }],
  [{ name: "Greenway ", license_number: "L" }, { last_name: "Greenway", other_id: "L" }],`,
} as const;

const testText = ({ posType, name, businessType }: Draft): string => `import { expect, test } from "vitest";
import { customer } from "../../../../shared/pos/${name}/answers.ts";
import { customerRecord } from "../../../../shared/pos/${name}/customers.ts";
import { FakePosUnderTest } from "../fakes/fakePosUnderTest.ts";

// TODO: what ${posType} alone has. What holds for every POS is tested in realConnectors.test.ts.
test.each<[object, object]>([
  ${mappings[businessType]}
  [{ street: "1 Pearl", zip: 80302 }, { address_1: "1 Pearl", zip_code: "80302" }],
  [{ updated_at: "2026-03-10T12:00:00-07:00" }, { pos_updated_date: "2026-03-10T19:00:00.000Z" }],
])("a customer %j", (fields, expected) => {
  expect(customerRecord(customer.parse({ id: 1, ...fields }))).toMatchObject(expected);
});

const fake = new FakePosUnderTest("${name}", "2026-03-10T19:30:00.000Z");

test("asks for changes since 15 minutes before the last pull, of its store", async () => {
  const pulled = await fake.puller("${firstKind}").pull(fake.now);
  await pulled.pull(fake.later(60));
  const query = fake.pos.server.requestsFor("/v1/customers").at(-1)?.query;
  expect(query?.get("updated_since")).toBe("2026-03-10T19:15:00.000Z");
  expect(query?.get("store_id")).toBe("${storeId}");
});
`;
