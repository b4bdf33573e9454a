import type { ComponentChildren, Ref } from "preact";
import { formatDay } from "../../../browser/formatDay.ts";
import { inDollars } from "../money.ts";
import type { Output } from "../operations.ts";
import { amountOf, inOrder, limitOf, ruleName, rulesBrokenBy, type SaleCheck, statusOf } from "../saleChecks.ts";
import { checkReason, checkState, saleState } from "../texts.ts";
import { useRead } from "../useRead.ts";
import { type Column, DataTable } from "./dataTable.tsx";
import { ApiLink, Loaded, Pairs } from "./layout.tsx";
import { LimitBar } from "./limitBar.tsx";
import { State } from "./mark.tsx";

type Sale = Output<"listCrbSales">["data"][number];

interface ArticleProps {
  crbId: string;
  saleId: string;
  /** The sale, if the list has it. */
  listed: Sale | undefined;
  timezone: string;
  heading: Ref<HTMLHeadingElement>;
}

/** The id of a rule, which breaks into lines after its words. */
const breakable = (id: string): ComponentChildren =>
  id.split(/(?<=[._])/).flatMap((word) => [word, <wbr key={word} />]);

const checkColumns: readonly Column<SaleCheck>[] = [
  {
    label: "Rule",
    value: ({ rule_id }) => rule_id,
    shown: ({ rule_id }) => ruleName(rule_id),
    under: ({ rule_id }) => <span class="code">{breakable(rule_id)}</span>,
  },
  {
    label: "Result",
    value: ({ outcome, why }) => (why ? `${outcome}: ${why}` : outcome),
    shown: ({ outcome }) => <State of={checkState(outcome)} />,
    under: ({ why }) => why && checkReason(why),
  },
  {
    label: "Found",
    value: (check) =>
      amountOf(check) ?? (check.outcome === "not_evaluated" ? "" : "not shown: it is about the customer"),
  },
  { label: "Limit", value: limitOf },
  {
    label: "Source",
    value: ({ citation }) => citation,
    shown: ({ citation }) => citation ?? "no law: a check of the service",
  },
];

const lineColumns: readonly Column<Sale["line_items"][number]>[] = [
  { label: "Product", value: ({ product_name }) => product_name },
  { label: "Kind", value: ({ product_type }) => product_type, none: "unknown" },
  { label: "Quantity", kind: "number", value: ({ num_units }) => num_units, none: "not sent" },
  { label: "Net weight, g", kind: "number", value: ({ grams }) => grams, none: "not sent" },
  { label: "Price of one", kind: "cents", value: ({ price_per_unit }) => price_per_unit, none: "not sent" },
];

/** The rules' results for a sale, computed when it is opened. Nothing about the customer is shown. */
export function SaleArticle({ crbId, saleId, listed, timezone, heading }: ArticleProps) {
  const explained = useRead("explainCrbSaleChecks", { path: { crb_id: crbId, sale_id: saleId } });
  const number = listed?.pos_sale_id ?? saleId;
  const rules = listed ? rulesBrokenBy(listed) : [];
  return (
    <article aria-labelledby="sale">
      <div class="head">
        <div>
          <h2 id="sale" ref={heading} tabIndex={-1}>
            Sale {number}
            {rules.length > 0 && `: ${rules.join(", ").toLowerCase()}`}
          </h2>
          {listed && <SaleLine sale={listed} timezone={timezone} />}
        </div>
      </div>
      <Loaded of={explained} name="The explanation of the sale">
        {({ checks, date, state, rules_version }) => {
          const broken = checks.filter(({ outcome }) => outcome === "violated");
          return (
            <>
              {broken.map((check) => (
                <Broken key={check.rule_id} check={check} rules={`the rules of ${state}, version ${rules_version}`} />
              ))}
              {checks.length === 0 ? (
                <div class="panel pad">
                  <h3>No rule is checked</h3>
                  <p>
                    It is a wholesale sale, or no rule of {state} with a source is in force on {formatDay(date)}. That
                    says nothing for or against the sale.
                  </p>
                </div>
              ) : (
                <DataTable
                  title="All rules for this sale"
                  caption={`Rules of ${state} and of the service on ${formatDay(date)}, version ${rules_version}. “Not checked” means that the information for the rule is missing or the rule does not concern the sale: it says nothing for or against the sale. Facts of that day, no legal advice.`}
                  columns={checkColumns}
                  rows={inOrder(checks)}
                  keyOf={({ rule_id }) => rule_id}
                  operation="explainCrbSaleChecks"
                  file={`checks-${number}`}
                  isWrapped
                />
              )}
              {listed ? (
                <Lines sale={listed} />
              ) : (
                <SaleOfDay crbId={crbId} saleId={saleId} date={date} timezone={timezone} />
              )}
              {listed && broken.length > 0 && (
                <section class="panel pad" aria-labelledby="next-step">
                  <h3 id="next-step">What you can do</h3>
                  <p>
                    Ask the shop for receipt <span class="code">{number}</span>. Typing grams where ounces or pieces
                    belong is a frequent cause. If a correction arrives, the service checks the sale again.
                  </p>
                  <p>
                    <a href={`#/insights?crb_id=${crbId}`}>Insights of this business</a>
                  </p>
                  <p class="hint">The customer is not shown.</p>
                </section>
              )}
            </>
          );
        }}
      </Loaded>
    </article>
  );
}

/** When and how a sale was paid. */
function SaleLine({ sale, timezone }: { sale: Sale; timezone: string }) {
  const { local_date, total_paid, payments, type } = sale;
  const means = [...new Set(payments.map((payment) => payment.type))].join(", ");
  return (
    <p>
      <State of={saleState(statusOf(sale))} /> · {local_date && timeOf(local_date)} ({timezone}) · {type} ·{" "}
      {total_paid === null ? "amount not sent" : inDollars(total_paid)}
      {means && `, ${means}`} <ApiLink operation="listCrbSales" />
    </p>
  );
}

/** A local time of the shop (yyyy-MM-dd HH:mm:ss.SSS), which no time zone changes. */
const timeOf = (local: string): string =>
  new Date(`${local.replace(" ", "T")}Z`).toLocaleString(undefined, {
    ...{ dateStyle: "long", timeStyle: "short", timeZone: "UTC" },
  });

/** A rule that the sale breaks. */
function Broken({ check, rules }: { check: SaleCheck; rules: string }) {
  const { rule_id, citation, limit } = check;
  const value = amountOf(check);
  const name = ruleName(rule_id);
  return (
    <section class="panel pad" aria-label={name}>
      <h3>
        <State of={checkState("violated")} />
      </h3>
      <p class="lead">
        {value ? (
          <>
            <strong>{value}</strong> {limit === null ? "were found." : "were sold."}
          </>
        ) : (
          "The value is about the customer and is not shown."
        )}{" "}
        {limit !== null && (
          <>
            The limit is <strong>{limitOf(check)}</strong>.
          </>
        )}
      </p>
      {value && typeof check.value === "number" && typeof limit === "number" && (
        <LimitBar value={check.value} limit={limit} limitWords={`limit ${limitOf(check)}`} valueWords={value} />
      )}
      <Pairs
        of={[
          [
            "Rule",
            <>
              {name} <span class="faint code">{breakable(rule_id)}</span>
            </>,
          ],
          ["Text", citation ?? "no law: a check of the service"],
          ["Checked against", rules],
        ]}
      />
    </section>
  );
}

function Lines({ sale }: { sale: Sale }) {
  return (
    <DataTable
      title="Products sold"
      caption="Prices in US dollars before discounts and taxes."
      columns={lineColumns}
      rows={sale.line_items}
      keyOf={({ product_id, pos_product_id, product_name }) => `${product_id} ${pos_product_id} ${product_name}`}
      operation="listCrbSales"
      file={`lines-${sale.pos_sale_id}`}
      isWrapped
    />
  );
}

/** A sale that the list does not have, such as that of an insight, from all sales of its day. */
function SaleOfDay({ crbId, saleId, date, timezone }: Omit<ArticleProps, "listed" | "heading"> & { date: string }) {
  const query = { start_date: date, end_date: date, limit: 1000 };
  const day = useRead("listCrbSales", { path: { crb_id: crbId }, query });
  return (
    <Loaded of={day} name="The sale">
      {({ data }) => {
        const sale = data.find(({ id }) => id === saleId);
        if (!sale) return <p class="faint">Its products could not be found among the sales of that day.</p>;
        return (
          <>
            <section class="panel pad">
              <h3>Sale {sale.pos_sale_id}</h3>
              <SaleLine sale={sale} timezone={timezone} />
            </section>
            <Lines sale={sale} />
          </>
        );
      }}
    </Loaded>
  );
}
