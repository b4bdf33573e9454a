import { handler as deleteCashCount } from "../../../functions/deposits/deleteCashCount.ts";
import { handler as deleteDeposit } from "../../../functions/deposits/deleteDeposit.ts";
import { handler as getSettings } from "../../../functions/deposits/getReconciliationSettings.ts";
import { handler as listCashCounts } from "../../../functions/deposits/listCashCounts.ts";
import { handler as listDeposits } from "../../../functions/deposits/listDeposits.ts";
import { handler as listDays } from "../../../functions/deposits/listReconciliationDays.ts";
import { handler as setCashCount } from "../../../functions/deposits/setCashCount.ts";
import { handler as setSettings } from "../../../functions/deposits/setReconciliationSettings.ts";
import { handler as storeDeposits } from "../../../functions/deposits/storeDeposits.ts";
import type { DepositRequest } from "../../../shared/api/schemas/deposit.ts";
import type { ReconciliationDay } from "../../../shared/api/schemas/reconciliation.ts";
import type { Table } from "../../../shared/store/client.ts";
import { givenServiceProvider } from "../callHandler.ts";

const base = "/service-providers/{sp_id}/crbs/{crb_id}";

type Query = Readonly<Record<string, string>>;
const toQuery = (query: Query) => Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));

/** A CRB, and the calls of its service provider that concern deposits. */
export async function givenDepositor(table: Table, record: Parameters<typeof givenServiceProvider>[2] = {}) {
  const given = await givenServiceProvider(table, undefined, record);
  const { crbId: crb_id, call } = given;
  const path = { crb_id };
  const get =
    (handler: typeof listDays, name: string) =>
    (query: Query = {}) =>
      call(handler, { resource: `${base}/${name}`, path, query: toQuery(query) });
  const list = get(listDays, "reconciliation-days");
  return {
    ...given,
    store: (...deposits: object[]) =>
      call(storeDeposits, { resource: `${base}/deposits`, method: "PUT", path, body: { deposits } }),
    remove: (deposit_id: string) =>
      call(deleteDeposit, {
        resource: `${base}/deposits/{deposit_id}`,
        method: "DELETE",
        path: { crb_id, deposit_id },
      }),
    deposits: get(listDeposits, "deposits"),
    counts: get(listCashCounts, "cash-counts"),
    count: (date: string, amount: number) =>
      call(setCashCount, {
        resource: `${base}/cash-counts/{date}`,
        method: "PUT",
        path: { crb_id, date },
        body: { amount },
      }),
    uncount: (date: string) =>
      call(deleteCashCount, { resource: `${base}/cash-counts/{date}`, method: "DELETE", path: { crb_id, date } }),
    settings: get(getSettings, "reconciliation-settings"),
    set: (body: object) =>
      call(setSettings, { resource: `${base}/reconciliation-settings`, method: "PUT", path, body }),
    list,
    /** All reconciliation days, oldest first. */
    days: async (query: Query = { limit: "1000" }): Promise<ReconciliationDay[]> =>
      (await list(query)).json.data.toReversed(),
  };
}

/** A deposit of cash. */
export const cash = (
  id: string,
  posted_date: string,
  amount: number,
  more: Partial<DepositRequest> = {},
): DepositRequest => ({ id, posted_date, amount, type: "cash", ...more });
