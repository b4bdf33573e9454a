import { handler as listCustomers } from "../../../functions/customers/listCustomers.ts";
import { requestEvent, testContext } from "../../requestEvent.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import type { Business } from "../data/business.ts";

/** Measures a poll of an unchanged list, with the tag of the last response. */
export async function poll(bench: Bench): Promise<void> {
  const customers = await bench.data.customers(bench.records);
  await pollOf(bench, customers, `Poll of an unchanged list, authorization included, N = ${count(bench.records)}`);
}

/**
 * The same for the customers of any business. Three of the units authorize: the credential, the association, and whether the CRB
 * is being restored.
 */
export async function pollOf(bench: Bench, { spId, crbId, secret }: Business, name: string): Promise<void> {
  const call = (headers = {}) => {
    const request = {
      resource: "/service-providers/{sp_id}/crbs/{crb_id}/customers",
      path: { sp_id: spId, crb_id: crbId },
      authorization: secret,
      headers,
    };
    return listCustomers(requestEvent(request), testContext);
  };
  const tag = String((await call()).headers?.ETag);
  const { result, readUnits, roundTrips } = await costOf(bench.table.client, () => call({ "If-None-Match": tag }));
  if (result.statusCode !== 304) throw new Error(`an unchanged list answered ${result.statusCode}`);
  bench.figure(`${name}: read units`, readUnits, "units", { atMost: 4 });
  bench.figure(`${name}: round trips in sequence`, roundTrips, "round trips", { atMost: 2 });
}
