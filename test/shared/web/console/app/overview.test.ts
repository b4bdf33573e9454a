import { expect, test } from "vitest";
import { matterCodes } from "../../../../../shared/insights/insightCodes.ts";
import {
  chooseBusinesses,
  firstChoice,
  isOld,
  type lastDay,
  linesOf,
  oldestTime,
} from "../../../../../shared/web/console/app/overview.ts";

type Business = Parameters<typeof lastDay>[0];
type Matter = Business["matters"][number];

const business = (name: string, figures: Partial<Business> = {}): Business => ({
  ...{ crb_id: name, name, dba: null, state: "CO", status: "bank_approved", as_of: null, data: null, sales_days: [] },
  ...{ flagged_sales: null, license: null, balance: null, open_insights: 0, documents_to_review: 0, matters: [] },
  ...figures,
});
const matter = (code: Matter["code"], since = "2026-11-20"): Matter => ({ code, since, count: 1, id: null });

const namesIn = (order: string, rows: readonly Business[]) =>
  chooseBusinesses(rows, { ...firstChoice, order }).map(({ name }) => name);

test("what needs the person begins with the gravest and oldest matter, whichever business has it", () => {
  const rows = [
    business("A", { matters: [matter("flagged_sale"), matter("unknown_customer_share"), matter("data_late")] }),
    business("B", {
      matters: [matter("sales_without_active_license"), matter("unknown_customer_share", "2026-11-19")],
    }),
    business("C"),
  ];
  expect(linesOf(rows).map(({ business: { name }, code }) => `${name} ${code}`)).toEqual([
    "A flagged_sale",
    "B sales_without_active_license",
    "B unknown_customer_share",
    "A unknown_customer_share",
    "A data_late",
  ]);
});

test("the matters are in the order of gravity", () => {
  const shuffled = [...matterCodes].sort();
  expect(linesOf([business("A", { matters: shuffled.map((code) => matter(code)) })]).map(({ code }) => code)).toEqual(
    matterCodes,
  );
});

test("the business with the gravest matter is the first one, and those without matters stay in their order", () => {
  const rows = [
    business("D"),
    business("C"),
    business("B", { matters: [matter("data_late")] }),
    business("A", { matters: [matter("flagged_sale", "2026-11-21")] }),
    business("E", { matters: [matter("flagged_sale", "2026-11-20"), matter("data_late")] }),
  ];
  expect(namesIn("Needs you first", rows)).toEqual(["E", "A", "B", "D", "C"]);
});

test("licenses that are not valid come before those that expire next, and businesses without a license are the last", () => {
  const license = (name: string, status: NonNullable<Business["license"]>["status"], next_expiry: string | null) =>
    business(name, { license: { status, count: 1, next_expiry } });
  const rows = [
    business("not computed"),
    license("none", null, null),
    license("later", "active", "2029-04-30"),
    license("soon", "expiring", "2026-12-18"),
    license("missing", "missing", "2030-01-01"),
    license("expired", "expired", null),
    license("inactive", "inactive", "2028-01-01"),
    license("without a date", "active", null),
  ];
  expect(namesIn("License expiry", rows)).toEqual([
    ...["inactive", "expired", "missing", "soon", "later"],
    ...["not computed", "none", "without a date"],
  ]);
});

test("sales and data order businesses by their last finished day and by the time of their data", () => {
  const day = (complete: boolean, total_paid: number) => ({
    ...{ date: "2026-11-27", complete, total_paid, cash_sales_low: 0, cash_sales_high: 0 },
    ...{ unknown_totals: 0, unknown_paid_amounts: 0 },
  });
  const data = (data_as_of: string | null) => ({ state: "current" as const, data_as_of });
  const rows = [
    business("none"),
    business("less", { sales_days: [day(false, 900), day(true, 100)], data: data("2026-11-28T08:00:00.000Z") }),
    business("more", { sales_days: [day(true, 200)], data: data("2026-11-28T09:00:00.000Z") }),
  ];
  expect(namesIn("Sales", rows)).toEqual(["more", "less", "none"]);
  expect(namesIn("Oldest data", rows)).toEqual(["none", "less", "more"]);
});

test("businesses are found by name and by dba in a state", () => {
  const rows = [
    business("High Country"),
    business("Elevated LLC", { dba: "Highland" }),
    business("Highway", { state: "CA" }),
  ];
  const chosen = chooseBusinesses(rows, { find: " HIGH ", state: "CO", order: "Name" });
  expect(chosen.map(({ name }) => name)).toEqual(["Elevated LLC", "High Country"]);
});

test("the figures of the page are as old as the oldest ones, and figures older than half an hour are named", () => {
  const rows = ["2026-11-28T08:30:00.000Z", null, "2026-11-28T08:15:00.000Z"].map((as_of) => business("A", { as_of }));
  expect(oldestTime(rows)).toBe("2026-11-28T08:15:00.000Z");
  expect(oldestTime([])).toBeUndefined();
  const now = Date.parse("2026-11-28T08:50:00.000Z");
  expect(rows.map((row) => isOld(row, now))).toEqual([false, false, true]);
});
