import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createSecret } from "../../../shared/auth/secrets.ts";
import { sensitiveHasher } from "../../../shared/platform/crypto/sensitiveHasher.ts";
import { extractCustomerIndexedFields } from "../../../shared/store/customers.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../shared/store/orderedList/recordWriter.ts";
import { testContext } from "../../requestEvent.ts";
import { setFence } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { useTestTable } from "../../useTestTable.ts";
import { eventOf, givenServiceProvider, loadHandler } from "../callHandler.ts";

const table = useTestTable();
useTestServiceKey();

const people = 40;
const samples = 15;
const numberOf = (person: number) => `(303) 555-0${100 + person}`;
/** Every other number belongs to a customer. */
const isMember = (person: number) => person % 2 === 0;

let ids: { sp_id: string; crb_id: string };
let foreign: string;

beforeAll(async () => {
  const { spId, crbId } = await givenServiceProvider(table());
  ids = { sp_id: spId, crb_id: crbId };
  foreign = (await givenServiceProvider(table())).secret;
  const fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
  await setFence(table(), fence.key, fence.number);
  const hash = sensitiveHasher(crbId);
  const members = Array.from({ length: people }, (_, person) => person).filter(isMember);
  await new RecordWriter(table(), recordList(crbId, "customer"), {
    fence,
    extractIndexedFields: extractCustomerIndexedFields,
  }).write(
    members.map((person) => {
      const id = randomUUID();
      return {
        id,
        content: { id, phone: hash.phone(numberOf(person)), svc_created_date: null, svc_updated_date: null },
      };
    }),
  );
});

const median = (times: number[]) => times.sort((one, other) => one - other)[times.length >> 1] ?? 0;

/**
 * The share of pairs of a customer and a stranger in which the customer's rejection took longer: half if the time reveals
 * nothing.
 */
async function shareRecognized(credential: () => string): Promise<number> {
  const times = Array.from({ length: people }, () => [] as number[]);
  const search = await loadHandler("customers/searchCustomers");
  for (let round = -2; round < samples; round++) {
    for (const [person, taken] of times.entries()) {
      const request = { path: ids, query: { phone: numberOf(person) }, authorization: credential() };
      const { event } = eventOf("searchCrbCustomers", request);
      const began = performance.now();
      const { statusCode } = await search(event, testContext);
      if (round >= 0) taken.push(performance.now() - began);
      expect([401, 403]).toContain(statusCode);
    }
  }
  const medians = times.map(median);
  const members = medians.filter((_, person) => isMember(person));
  const others = medians.filter((_, person) => !isMember(person));
  const pairs = members.flatMap((member) => others.map((other) => member > other));
  return pairs.filter(Boolean).length / pairs.length;
}

// By chance, a share passes 0.2 or 0.8 about once in a thousand runs, and practically never twice in a row.
test.each([
  ["made-up keys", () => createSecret("sk", randomUUID())],
  ["made-up tokens", () => createSecret("at", randomUUID())],
  ["another service provider's key", () => foreign],
])("the time of a rejection does not reveal who is a customer: %s", { retry: 1 }, async (_, credential) => {
  const share = await shareRecognized(credential);
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.8);
});
