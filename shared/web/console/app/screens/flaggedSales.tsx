import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import { addressOf, type Place } from "../findScreen.ts";
import { addDays, counted, periodOf, shareOf } from "../format.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { ApiLink, Empty, Loaded } from "../parts/layout.tsx";
import { Queue, useItemFocus } from "../parts/queue.tsx";
import { SaleArticle } from "../parts/saleArticle.tsx";
import { rulesBrokenBy, statusOf } from "../saleChecks.ts";
import { useRead } from "../session.tsx";
import { useDraft } from "../storage.ts";
import { checkReason, saleState } from "../texts.ts";

const periods: Readonly<Record<string, number>> = { "30 days": 30, "90 days": 90, "A year": 365 };
const statuses = ["red_flag", "warning"] as const;

/** The sales of a business that break a rule or have a warning, and the rules' results for one of them. */
export function FlaggedSales({ parameters: { crb_id = "" }, query }: Place) {
  const [period, setPeriod] = useDraft("flagged-period", "90 days");
  const days = periods[period] ?? 90;
  const today = new Date().toISOString().slice(0, 10);
  const window = { start_date: addDays(today, -days), end_date: addDays(today, 1) };
  const status = statuses.find((each) => each === query.get("status")) ?? "red_flag";
  const path = { crb_id };
  const flagged = useRead("listCrbSales", { path, query: { ...window, limit: 200, compliance_status: status } });
  const insights = useRead("listCrbInsights", { path, query: { limit: 1 } });
  const wanted = query.get("sale") ?? "";
  useItemFocus(wanted);
  const addressWith = (filters: { status?: string; sale?: string }) =>
    addressOf(`/businesses/${crb_id}/sales`, { status, ...filters });
  return (
    <BusinessFrame crbId={crb_id} part="/sales">
      {({ timezone }) => (
        <>
          <Checked of={insights.data?.sale_checks} />
          <Loaded of={flagged} name="The list of sales that rules flag">
            {({ data: sales, metadata: { total } }) => {
              const chosen = wanted || sales[0]?.id;
              return (
                <Queue
                  label="Sales of the list"
                  head={
                    <>
                      <Choice label="Period" value={period} options={Object.keys(periods)} changed={setPeriod} />
                      <Choice
                        label="Show"
                        value={status}
                        options={statuses.map((each) => [each, saleState(each)[1]])}
                        changed={(next) => {
                          location.hash = addressWith({ status: next });
                        }}
                      />
                      {counted(total, "sale")}
                      {sales.length < total && `, the newest ${sales.length} are listed`}
                    </>
                  }
                  items={sales.map((sale) => ({
                    href: addressWith({ sale: sale.id }),
                    isOpen: sale.id === chosen,
                    state: saleState(statusOf(sale)),
                    day: formatShortDay(sale.local_date?.slice(0, 10) ?? ""),
                    name: `Sale ${sale.pos_sale_id}`,
                    line: rulesBrokenBy(sale).join(", "),
                  }))}
                >
                  {chosen ? (
                    <SaleArticle
                      key={chosen}
                      crbId={crb_id}
                      saleId={chosen}
                      listed={sales.find(({ id }) => id === chosen)}
                      timezone={timezone}
                    />
                  ) : (
                    <Empty title={status === "red_flag" ? "No sale breaks a rule" : "No sale has a warning"}>
                      That says nothing about sales of this period that could not be checked.
                    </Empty>
                  )}
                </Queue>
              );
            }}
          </Loaded>
        </>
      )}
    </BusinessFrame>
  );
}

/** The share of the sales of 28 days that could not be checked, with the reasons. */
function Checked({ of }: { of: Output<"listCrbInsights">["sale_checks"] | undefined }) {
  if (!of || of.unchecked === 0) return null;
  const { start_date, end_date, sales, unchecked, reasons } = of;
  return (
    <details>
      <summary>
        {unchecked.toLocaleString()} of {counted(sales, "retail sale")} ({shareOf(unchecked, sales)}) could not be fully
        checked in the 28 complete days {periodOf(start_date, end_date)}
      </summary>
      <p>
        That says nothing for or against them. <ApiLink operation="listCrbInsights" />
      </p>
      <ul>
        {reasons.map(({ reason, sales: count }) => (
          <li key={reason}>
            {counted(count, "sale")}: {checkReason(reason)}
          </li>
        ))}
      </ul>
    </details>
  );
}
