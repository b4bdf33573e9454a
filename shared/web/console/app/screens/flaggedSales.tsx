import { useMemo } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import { useDraft } from "../drafts.ts";
import type { Place } from "../findScreen.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { ApiLink, Empty, Loaded } from "../parts/layout.tsx";
import { Queue, useItemHeading } from "../parts/queue.tsx";
import { SaleArticle } from "../parts/saleArticle.tsx";
import { addressOf, counted } from "../queue.ts";
import { rulesBrokenBy, statusOf } from "../saleChecks.ts";
import { saleState } from "../texts.ts";
import { useRead } from "../useRead.ts";

const periods: Readonly<Record<string, number>> = { "30 days": 30, "90 days": 90, "A year": 365 };

/** The sales of a business that break a rule or have a warning, and the rules' results for one of them. */
export function FlaggedSales({ parameters: { crb_id = "" }, query }: Place) {
  const [period, setPeriod] = useDraft("flagged-period", "90 days");
  const days = periods[period] ?? 90;
  const [start_date, end_date] = useMemo(() => [dayBefore(days), dayBefore(-1)] as const, [days]);
  const flagged = (compliance_status: "red_flag" | "warning") =>
    ({ path: { crb_id }, query: { start_date, end_date, limit: 200, compliance_status } }) as const;
  const breaks = useRead("listCrbSales", flagged("red_flag"));
  const warnings = useRead("listCrbSales", flagged("warning"));
  const wanted = query.get("sale") ?? "";
  const heading = useItemHeading(wanted);
  return (
    <BusinessFrame crbId={crb_id} part="sales">
      {({ timezone }) => (
        <Loaded of={breaks} name="The list of sales that break a rule">
          {(broken) => (
            <Loaded of={warnings} name="The list of sales with a warning">
              {(warned) => {
                // Breaks come first; each list has the newest day first.
                const sales = [...broken.data, ...warned.data];
                const chosen = wanted || sales[0]?.id;
                const total = broken.metadata.total + warned.metadata.total;
                return (
                  <Queue
                    label="Sales of the list"
                    head={
                      <>
                        <Choice
                          id="period"
                          label="Period"
                          value={period}
                          options={Object.keys(periods)}
                          changed={setPeriod}
                        />
                        <span class="faint">
                          {counted(broken.metadata.total, "sale breaks", "sales break")} a rule,{" "}
                          {counted(warned.metadata.total, "has", "have")} a warning <ApiLink operation="listCrbSales" />
                          {sales.length < total && `. The newest ${sales.length} are listed`}
                        </span>
                      </>
                    }
                    items={sales.map((sale) => ({
                      href: addressOf(`/businesses/${crb_id}/sales`, { sale: sale.id }),
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
                        heading={heading}
                      />
                    ) : (
                      <Empty title="No sale breaks a rule">
                        In this period no sale of this business breaks a rule or has a warning. That says nothing about
                        sales that could not be checked.
                      </Empty>
                    )}
                  </Queue>
                );
              }}
            </Loaded>
          )}
        </Loaded>
      )}
    </BusinessFrame>
  );
}

/** The day (yyyy-MM-dd) that is a number of days before today in UTC. */
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
