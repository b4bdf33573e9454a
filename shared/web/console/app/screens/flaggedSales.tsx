import { Rejection } from "../../../browser/failures.ts";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import { addressOf, type Place } from "../findScreen.ts";
import { addDays, counted, isoDay, periodOf, shareOf } from "../format.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { ApiLink, Empty, Loaded } from "../parts/layout.tsx";
import { Queue, useItemFocus } from "../parts/queue.tsx";
import { SaleArticle } from "../parts/saleArticle.tsx";
import { rulesBrokenBy, statusOf } from "../saleChecks.ts";
import { useLoad, useRead, useSession } from "../session.tsx";
import { useDraft } from "../storage.ts";
import { checkReason, saleState } from "../texts.ts";

const periods: Readonly<Record<string, number>> = { "30 days": 30, "90 days": 90, "A year": 365 };
const statuses = ["red_flag", "warning"] as const;

/** Days of the list if a longer period has too many sales (docs/spec.md#filters). */
const shortDays = 30;

/** The sales of a business that break a rule or have a warning, and the rules' results for one of them. */
export function FlaggedSales({ parameters: { crb_id = "" }, query }: Place) {
  const insights = useRead("listCrbInsights", { path: { crb_id }, query: { limit: 1 } });
  return (
    <BusinessFrame crbId={crb_id} part="/sales">
      {({ timezone }) => (
        <>
          <Loaded of={insights} name="The number of sales that could not be checked">
            {({ sale_checks }) => <Checked of={sale_checks} />}
          </Loaded>
          <Flagged crbId={crb_id} query={query} timezone={timezone} />
        </>
      )}
    </BusinessFrame>
  );
}

interface FlaggedProps extends Pick<Place, "query"> {
  crbId: string;
  timezone: string;
}

/** The sales of a period with one status. The choices stay if the list cannot be read. */
function Flagged({ crbId, query, timezone }: FlaggedProps) {
  const { client } = useSession();
  const [period, setPeriod] = useDraft("flagged-period", "90 days");
  const days = periods[period] ?? 90;
  const today = isoDay(new Date(), timezone);
  const status = statuses.find((each) => each === query.get("status")) ?? "red_flag";
  const flagged = useLoad(`${crbId} ${today} ${days} ${status}`, () => {
    const path = { crb_id: crbId };
    const read = async (count: number) => {
      const window = { start_date: addDays(today, 1 - count), end_date: addDays(today, 1) };
      const list = await client("listCrbSales", { path, query: { ...window, limit: 200, compliance_status: status } });
      return { ...list, isShort: count < days };
    };
    return read(days).catch((failure) => {
      if (failure instanceof Rejection && failure.code === "window_required") return read(shortDays);
      throw failure;
    });
  });
  const wanted = query.get("sale") ?? "";
  useItemFocus(wanted);
  const addressWith = (filters: { status?: string; sale?: string }) =>
    addressOf(`/businesses/${crbId}/sales`, { status, ...filters });
  const { data: sales = [], metadata, isShort } = flagged.data ?? {};
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
          {metadata && counted(metadata.total, "sale")}
          {isShort && ` of ${shortDays} days only, because longer periods have too many`}
          {metadata && sales.length < metadata.total && `; the newest ${sales.length} are listed`}
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
      <Loaded of={flagged} name="The list of sales that rules flag">
        {() =>
          chosen ? (
            <SaleArticle
              key={chosen}
              crbId={crbId}
              saleId={chosen}
              listed={sales.find(({ id }) => id === chosen)}
              timezone={timezone}
            />
          ) : (
            <Empty title={status === "red_flag" ? "No sale breaks a rule" : "No sale has a warning"}>
              That says nothing about other days, or about sales of this period that could not be checked.
            </Empty>
          )
        }
      </Loaded>
    </Queue>
  );
}

/** The share of the sales of 28 days that could not be checked, with the reasons. */
function Checked({ of }: { of: Output<"listCrbInsights">["sale_checks"] }) {
  if (!of) return <p class="hint">How many sales could not be checked is known after the first complete days.</p>;
  if (of.unchecked === 0) return null;
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
