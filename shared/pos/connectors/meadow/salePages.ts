import type { PullPage } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import type { Query } from "../../framework/jsonApi.ts";
import { type NewestFirst, newestFirstPage } from "../../framework/newestFirst.ts";
import { withoutObserver } from "../../framework/observer.ts";
import { posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { prefixed, readRows } from "../../framework/readRow.ts";
import { type MeadowPull, organizationOf } from "./meadowApi.ts";
import { type Order, order, orderReturn, paymentType } from "./responses.ts";
import { isCanceled, isVoided, type PaymentMethods, returnRecords, saleRecords } from "./sales.ts";

/**
 * Reads pages of sales: the fulfilled orders, then the returns, each newest first. Meadow does not report changes of orders
 * and returns. So once a night a pull reads the orders and returns of the last weeks again. This pull includes unfulfilled
 * orders, because the order of a stored sale may have been canceled. It also includes voided returns.
 */
export function salePages(): (pull: MeadowPull<"sale">) => Promise<PullPage<"sale">> {
  const known = new AsyncCache<PaymentMethods>(8, 15 * 60_000);
  return async (pull) => {
    const { api, connection } = pull;
    const methods = await known.get(connection.crbId, () => withoutObserver(() => readMethods(pull)));
    const list = <Row>(
      list: Omit<NewestFirst<Row, "sale">, "idField" | "fetch">,
      path: "orders" | "order-returns",
      query: Query,
    ) => ({
      idField: "id",
      fetch: (after: string | null) =>
        api.rows(posPath`/api/v1/${path}`, { ...query, ...(after !== null && { startingAfter: after }) }),
      ...list,
    });
    const orders = {
      schema: order,
      make: (row: Order) => saleRecords(row, methods),
      undoes: isCanceled,
      store: organizationOf(pull),
    };
    const returns = { schema: orderReturn, posIdOf: prefixed("return-", "id"), make: returnRecords, undoes: isVoided };
    return newestFirstPage(pull, ({ since, again }) => [
      list({ from: since, dateField: "fulfilledAt", reader: orders }, "orders", { fulfilledOnly: true }),
      list({ from: again ?? since, dateField: "createdAt", reader: returns }, "order-returns", {}),
      ...(again
        ? [
            list({ from: again, dateField: "createdAt", reader: orders }, "orders", {}),
            list({ from: again, dateField: "createdAt", reader: returns }, "order-returns", { voided: true }),
          ]
        : []),
    ]);
  };
}

/** Reads the payment types; none if the key may not read them. The names in payments then decide. */
async function readMethods({ api }: MeadowPull<"sale">): Promise<PaymentMethods> {
  const rows = await readFirstPermitted([() => api.rows(posPath`/api/v1/payment-types`), async () => []]);
  return new Map(readRows(paymentType, rows, "id").rows.map(({ id, method }) => [id, method]));
}
