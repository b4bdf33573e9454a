import * as z from "zod";
import { defineOperation, E4, readsSales, writesAsReviewer } from "../operation.ts";
import { bankDaysQuery, noQuery } from "../parameters.ts";
import { cursorPageOf } from "../schemas/cursorPage.ts";
import {
  bankDay,
  cashCount,
  cashCountRequest,
  deposit,
  depositId,
  depositsRequest,
  storedDeposits,
} from "../schemas/deposit.ts";
import { exampleIds } from "./examples.ts";

const depositsPath = "/service-providers/{sp_id}/crbs/{crb_id}/deposits";
const countsPath = "/service-providers/{sp_id}/crbs/{crb_id}/cash-counts";

const depositInPath = z.object({ deposit_id: depositId.describe("The deposit") });
const dayInPath = z.object({ date: bankDay.describe("Business day at whose end the cash was counted") });

const pickUp = {
  id: exampleIds.deposit,
  posted_date: "2026-03-02",
  amount: 1_284_000,
  type: "cash",
  business_date: "2026-03-01",
  excluded_reason: null,
} as const;
const loan = {
  id: "20260302-000418",
  posted_date: "2026-03-02",
  amount: 5_000_000,
  type: "wire",
  business_date: null,
  excluded_reason: "loan",
} as const;
const count = { date: "2026-03-01", amount: 214_350 };

const withoutNulls = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

export const storeDeposits = defineOperation({
  handler: "deposits/storeDeposits",
  routes: [{ operationId: "storeDeposits", method: "PUT", path: depositsPath, ...writesAsReviewer }],
  tag: "Deposits",
  summary: "Store deposits of a CRB",
  description:
    "Send the postings of the CRB's account, such as once a day. The whole body is checked first: if one deposit is wrong, nothing is stored. Then a deposit with a new id is stored, an equal one stays, and one with a stored id replaces it. So after a lost response or an error, send the same body again. A deposit counts on `business_date`, or else on `posted_date`. Use ids of postings, never account numbers. Send a deposit of several CRBs in parts, each with an id of its own. A CRB can have 100,000 deposits.",
  query: noQuery,
  body: depositsRequest,
  requests: { day: { summary: "The postings of a day", body: { deposits: [pickUp, loan].map(withoutNulls) } } },
  success: {
    schema: storedDeposits,
    description: "The numbers of new, equal and replaced deposits",
    example: { accepted: 1, unchanged: 1, replaced: 0 },
  },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The CRB would have more than 100,000 deposits. Nothing is stored.",
      examples: {
        limit: {
          code: "deposit_limit",
          message: "A CRB can have 100000 deposits. Delete deposits that you no longer compare first.",
        },
      },
    },
    422: {
      description: "An identifier or a deposit is invalid. Nothing is stored.",
      examples: {
        repeated: { fields: { "body.deposits.1.id": { message: "must not be the id of deposits.0 too" } } },
        zero: { fields: { "body.deposits.0.amount": { message: "must not be 0", value: 0 } } },
      },
    },
  },
  permissionSets: [
    "deposits:store",
    "reconciliation:list",
    "reconciliation:change",
    "reconciliation:write",
    "reconciliation:read",
  ],
});

export const listDeposits = defineOperation({
  handler: "deposits/listDeposits",
  routes: [{ operationId: "listDeposits", path: depositsPath, ...readsSales }],
  tag: "Deposits",
  summary: "List the deposits of a CRB",
  description:
    "The stored deposits, those of the newest day first. `start_date` and `end_date` select the days on which they count: `business_date`, or else `posted_date`.",
  query: bankDaysQuery,
  requests: { page: { summary: "The newest 100 deposits", query: { limit: "100" } } },
  success: {
    schema: cursorPageOf(deposit),
    description: "A page of deposits",
    example: { data: [loan, pickUp], cursor: "UFfaVR5OdWQyMDI2LTAzLTAxIzIwMjYwMzAyLTAwMDQxN1iJzcg", has_more: false },
  },
  errors: E4,
  permissionSets: ["deposits:list"],
});

export const deleteDeposit = defineOperation({
  handler: "deposits/deleteDeposit",
  routes: [
    { operationId: "deleteDeposit", method: "DELETE", path: `${depositsPath}/{deposit_id}`, ...writesAsReviewer },
  ],
  tag: "Deposits",
  summary: "Delete a deposit",
  description:
    "Returns the deposit as it was stored. Its day is compared without it from now on. A deposit that is not stored gets 404. To correct a deposit, store it again under its id.",
  path: depositInPath,
  query: noQuery,
  requests: { deposit: { summary: "A deposit of cash", path: { deposit_id: exampleIds.deposit } } },
  success: { schema: deposit, description: "The deposit, which is no longer stored", example: pickUp },
  errors: [...E4, 409],
  permissionSets: ["deposits:remove", "reconciliation:change", "reconciliation:write", "reconciliation:read"],
});

export const listCashCounts = defineOperation({
  handler: "deposits/listCashCounts",
  routes: [{ operationId: "listCashCounts", path: countsPath, ...readsSales }],
  tag: "Deposits",
  summary: "List the cash counts of a CRB",
  description: "The counts of cash that you have stored, the newest day first.",
  query: bankDaysQuery,
  requests: { page: { summary: "The newest 100 counts", query: { limit: "100" } } },
  success: {
    schema: cursorPageOf(cashCount),
    description: "A page of cash counts",
    example: { data: [count], cursor: "9H3cDUd6Ts8yMDI2LTAzLTAxt5d_0w", has_more: false },
  },
  errors: E4,
  permissionSets: ["cashCounts:list"],
});

export const setCashCount = defineOperation({
  handler: "deposits/setCashCount",
  routes: [{ operationId: "setCashCount", method: "PUT", path: `${countsPath}/{date}`, ...writesAsReviewer }],
  tag: "Deposits",
  summary: "Store a cash count",
  description:
    "The cash of the business at the end of a business day, after the deposits that count up to that day. It includes cash on its way to the bank, whose deposit counts on a later day. The balance of later days starts from the last count. Another count of the same day replaces it. A CRB can have 3,660 counts.",
  path: dayInPath,
  query: noQuery,
  body: cashCountRequest,
  requests: { count: { summary: "A count", path: { date: count.date }, body: { amount: count.amount } } },
  success: { schema: cashCount, description: "The stored count", example: count },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The CRB has 3,660 counts, the maximum.",
      examples: {
        limit: { code: "count_limit", message: "A CRB can have 3660 cash counts. Delete the oldest ones first." },
      },
    },
  },
  permissionSets: ["reconciliation:list", "reconciliation:change", "reconciliation:write", "reconciliation:read"],
});

export const deleteCashCount = defineOperation({
  handler: "deposits/deleteCashCount",
  routes: [{ operationId: "deleteCashCount", method: "DELETE", path: `${countsPath}/{date}`, ...writesAsReviewer }],
  tag: "Deposits",
  summary: "Delete a cash count",
  description: "Returns the count as it was stored. A day without a count gets 404.",
  path: dayInPath,
  query: noQuery,
  requests: { count: { summary: "A count", path: { date: count.date } } },
  success: { schema: cashCount, description: "The count, which is no longer stored", example: count },
  errors: [...E4, 409],
  permissionSets: ["reconciliation:change", "reconciliation:write", "reconciliation:read"],
});
