import { defineOperation, E4, readsSales, writesAsProvider } from "../operation.ts";
import { noQuery, reconciliationDaysQuery } from "../parameters.ts";
import { cursorPageOf } from "../schemas/cursorPage.ts";
import {
  type ReconciliationDay,
  reconciliationDay,
  reconciliationSettings,
  reconciliationSettingsRequest,
} from "../schemas/reconciliation.ts";

const settingsPath = "/service-providers/{sp_id}/crbs/{crb_id}/reconciliation-settings";

const day: ReconciliationDay = {
  date: "2026-03-02",
  cash_sales_low: 384_120,
  cash_sales_high: 402_870,
  card_sales: 211_400,
  cash_deposited: 0,
  card_settled: 208_900,
  balance_low: 598_470,
  balance_high: 617_220,
  counted: "2026-03-01",
  count_difference: null,
  days_since_deposit: 1,
  complete: true,
  revision: 1,
  status: "within",
};

const countedDay: ReconciliationDay = {
  ...day,
  date: "2026-03-01",
  cash_sales_low: 401_900,
  cash_sales_high: 401_900,
  cash_deposited: 1_284_000,
  card_settled: 0,
  balance_low: 214_350,
  balance_high: 214_350,
  count_difference: 0,
  days_since_deposit: 0,
  revision: 2,
};

const settings = {
  since: null,
  never_cash: ["other"],
  tolerance_amount: 10_000,
  tolerance_percent: 5,
  max_days_without_deposit: 10,
} as const;

export const listReconciliationDays = defineOperation({
  handler: "deposits/listReconciliationDays",
  routes: [
    {
      operationId: "listReconciliationDays",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/reconciliation-days",
      ...readsSales,
    },
  ],
  tag: "Deposits",
  summary: "Compare the deposits of a CRB with its sales",
  description:
    "The days with sales, deposits or a cash count, newest first. `balance_low` and `balance_high` are the cash that should be at the business at the end of the day: the last count, and since then the cash of sales less the deposits of cash. The range has the payments by unclear means. `deposits_unexplained` says that more cash was deposited than the sales explain, even if every unclear payment was cash. `cash_outstanding` says that cash stays at the business for too long, and `count_differs` that a cash count found more or less than could be there. A later change of a day changes the balances after it, and only the `revision` of the day itself.",
  query: reconciliationDaysQuery,
  requests: { week: { summary: "The newest seven days", query: { limit: "7" } } },
  success: {
    schema: cursorPageOf(reconciliationDay),
    description: "A page of reconciliation days",
    example: { data: [day, countedDay], cursor: "2W8Qw2XK6rAyMDI2LTAzLTAxSGEl4g", has_more: false },
  },
  errors: E4,
  permissionSets: ["reconciliation:read"],
});

export const getReconciliationSettings = defineOperation({
  handler: "deposits/getReconciliationSettings",
  routes: [{ operationId: "getReconciliationSettings", path: settingsPath, ...readsSales }],
  tag: "Deposits",
  summary: "Read how deposits are compared with sales",
  description: "The settings of the CRB, and the defaults of those that were never set.",
  query: noQuery,
  success: { schema: reconciliationSettings, description: "The settings", example: settings },
  errors: E4,
  permissionSets: ["reconciliation:settings"],
});

export const setReconciliationSettings = defineOperation({
  handler: "deposits/setReconciliationSettings",
  routes: [{ operationId: "setReconciliationSettings", method: "PUT", path: settingsPath, ...writesAsProvider }],
  tag: "Deposits",
  summary: "Change how deposits are compared with sales",
  description:
    "Fields that you do not send stay as they are. The settings apply to all days at once. Set `never_cash` if the business has confirmed what it records as `other`, `multiple` or `unknown`.",
  query: noQuery,
  body: reconciliationSettingsRequest,
  requests: { gift: { summary: "Other means are only gift cards", body: { never_cash: ["other"] } } },
  success: { schema: reconciliationSettings, description: "The new settings", example: settings },
  errors: [...E4, 409],
  permissionSets: ["reconciliation:list", "reconciliation:write", "reconciliation:read"],
});
