import type { Ref } from "preact";
import { formatDay } from "../../../browser/formatDay.ts";
import { dollars, inDollars } from "../money.ts";
import type { Output } from "../operations.ts";
import { amountOf, inOrder, limitOf, ruleName, rulesBrokenBy, type SaleCheck, statusOf } from "../saleChecks.ts";
import { checkReason, checkState, saleState } from "../texts.ts";
import { useRead } from "../useRead.ts";
import { ApiLink } from "./apiLink.tsx";
import { type Column, DataTable } from "./dataTable.tsx";
import { Loaded } from "./loaded.tsx";
import { State } from "./mark.tsx";

type Sale = Output<"listCrbSales">["data"][number];
type Line = Sale["line_items"][number];

interface ArticleProps {
  crbId: string;
  saleId: string;
  /** The sale, if the list has it. */
  listed: Sale | undefined;
  timezone: string;
  heading: Ref<HTMLHeadingElement>;
}

const foundIn = (check: SaleCheck): string => {
  const value = amountOf(check);
  if (value !== undefined) return value;
  return check.outcome === "not_evaluated" ? "" : "not shown: it is about the customer";
};

const checkColumns: readonly Column<SaleCheck>[] = [
  {
    label: "Rule",
    cell: ({ rule_id }) => (
      <>
        {ruleName(rule_id)}
        <span class="under code">
          <RuleId id={rule_id} />
        </span>
      </>
    ),
    csv: ({ rule_id }) => rule_id,
  },
  {
    label: "Result",
    cell: ({ outcome, why }) => (
      <>
        <State of={checkState(outcome)} />
        {why && <span class="under">{checkReason(why)}</span>}
      </>
    ),
    csv: ({ outcome, why }) => (why ? `${outcome}: ${why}` : outcome),
  },
  { label: "Found", cell: foundIn, csv: foundIn },
  { label: "Limit", cell: limitOf, csv: limitOf },
  {
    label: "Source",
    cell: ({ citation }) => citation ?? "no law: a check of the service",
    csv: ({ citation }) => citation,
  },
];

const lineColumns: readonly Column<Line>[] = [
  { label: "Product", cell: ({ product_name }) => product_name, csv: ({ product_name }) => product_name },
  {
    label: "Kind",
    cell: ({ product_type }) => product_type ?? <span class="faint">unknown</span>,
    csv: ({ product_type }) => product_type,
  },
  {
    label: "Quantity",
    isNumber: true,
    cell: ({ num_units }) => num_units?.toLocaleString() ?? <span class="faint">not sent</span>,
    csv: ({ num_units }) => num_units,
  },
  {
    label: "Net weight, g",
    isNumber: true,
    cell: ({ grams }) => grams?.toLocaleString() ?? <span class="faint">not sent</span>,
    csv: ({ grams }) => grams,
  },
  {
    label: "Price of one",
    isNumber: true,
    cell: ({ price_per_unit }) =>
      price_per_unit === null ? <span class="faint">not sent</span> : dollars(price_per_unit),
    csv: ({ price_per_unit }) => (price_per_unit === null ? null : price_per_unit / 100),
  },
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
                <Broken key={check.rule_id} check={check} version={rules_version} state={state} />
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

/** The id of a rule, which breaks into lines after its words. */
function RuleId({ id }: { id: string }) {
  return id.split(/(?<=[._])/).flatMap((word) => [word, <wbr />]);
}

/** A rule that the sale breaks. */
function Broken({ check, version, state }: { check: SaleCheck; version: string; state: string }) {
  const value = amountOf(check);
  return (
    <section class="panel pad" aria-label={ruleName(check.rule_id)}>
      <h3>
        <State of={checkState("violated")} />
      </h3>
      <p class="lead">
        {value ? (
          <>
            <strong>{value}</strong> {check.limit === null ? "were found." : "were sold."}
          </>
        ) : (
          "The value is about the customer and is not shown."
        )}{" "}
        {check.limit !== null && (
          <>
            The limit is <strong>{limitOf(check)}</strong>.
          </>
        )}
      </p>
      <dl class="pairs">
        <dt>Rule</dt>
        <dd>
          {ruleName(check.rule_id)}{" "}
          <span class="faint code">
            <RuleId id={check.rule_id} />
          </span>
        </dd>
        <dt>Text</dt>
        <dd>{check.citation ?? "no law: a check of the service"}</dd>
        <dt>Checked against</dt>
        <dd>
          the rules of {state}, version {version}
        </dd>
      </dl>
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
        return sale ? (
          <>
            <section class="panel pad">
              <h3>Sale {sale.pos_sale_id}</h3>
              <SaleLine sale={sale} timezone={timezone} />
            </section>
            <Lines sale={sale} />
          </>
        ) : (
          <p class="faint">Its products could not be found among the sales of that day.</p>
        );
      }}
    </Loaded>
  );
}
