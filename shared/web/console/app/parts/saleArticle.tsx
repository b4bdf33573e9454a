import type { ComponentChildren } from "preact";
import { ruleName } from "../../../../saleChecks/ruleName.ts";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { inDollars } from "../format.ts";
import { findSale } from "../lists.ts";
import type { Output } from "../operations.ts";
import { amountOf, inOrder, limitOf, rulesBrokenBy, type SaleCheck, statusOf } from "../saleChecks.ts";
import { useLoad, useRead, useSession } from "../session.tsx";
import { checkReason, checkState, saleState } from "../texts.ts";
import { ApiLink, Loaded, Pairs } from "./layout.tsx";
import { LimitBar, State } from "./marks.tsx";
import { type Column, DataTable, number, state, text } from "./table.tsx";

type Sale = Output<"listCrbSales">["data"][number];

interface ArticleProps {
  crbId: string;
  saleId: string;
  /** The sale, if the list has it. */
  listed: Sale | undefined;
  timezone: string;
}

const noLaw = "no law: a check of the service";

/** The id of a rule, which breaks into lines after its words. */
const breakable = (id: string): ComponentChildren =>
  id.split(/(?<=[._])/).flatMap((word) => [word, <wbr key={word} />]);

const checkColumns: readonly Column<SaleCheck>[] = [
  text("Rule", ({ rule_id }) => rule_id, {
    shown: ({ rule_id }) => ruleName(rule_id),
    under: ({ rule_id }) => <span class="code">{breakable(rule_id)}</span>,
  }),
  state("Result", ({ outcome }) => checkState(outcome), { under: ({ why }) => why && checkReason(why) }),
  text(
    "Found",
    (check) => amountOf(check) ?? (check.outcome === "not_evaluated" ? "" : "not shown: it is about the customer"),
  ),
  text("Limit", limitOf),
  text("Source", ({ citation }) => citation ?? noLaw),
];

const none = "not sent";
const lineColumns: readonly Column<Sale["line_items"][number]>[] = [
  text("Product", ({ product_name }) => product_name),
  text("Kind", ({ product_type }) => product_type, { none: "unknown" }),
  number("Quantity", ({ num_units }) => num_units, "number", { none }),
  number("Net weight, g", ({ grams }) => grams, "number", { none }),
  number("Price of one", ({ price_per_unit }) => price_per_unit, "cents", { none }),
];

/** The rules' results for a sale, computed when it is opened. Nothing about the customer is shown. */
export function SaleArticle({ crbId, saleId, listed, timezone }: ArticleProps) {
  const { client } = useSession();
  const explained = useRead("explainCrbSaleChecks", { path: { crb_id: crbId, sale_id: saleId } });
  // A sale that the list does not have, such as that of an insight, is found among the sales of its day.
  const date = listed ? undefined : explained.data?.date;
  const found = useLoad(
    `${saleId} ${date}`,
    date === undefined ? undefined : () => findSale(client, { crb_id: crbId }, { id: saleId, date }),
  );
  const sale = listed ?? found.data?.sale;
  const rules = sale ? rulesBrokenBy(sale) : [];
  return (
    <article aria-labelledby="sale">
      <h2 id="sale" tabIndex={-1}>
        Sale {sale?.pos_sale_id ?? saleId}
        {rules.length > 0 && `: ${rules.join(", ").toLowerCase()}`}
      </h2>
      {sale && <SaleLine sale={sale} timezone={timezone} />}
      <Loaded of={explained} name="The explanation of the sale">
        {({ checks, date, state, rules_version }) => (
          <>
            {checks
              .filter(({ outcome }) => outcome === "violated")
              .map((check) => (
                <Broken key={check.rule_id} check={check} rules={`the rules of ${state}, version ${rules_version}`} />
              ))}
            {checks.length === 0 ? (
              <div class="panel pad">
                <h3>No rule is checked</h3>
                <p>
                  It is a wholesale sale, or no rule of {state} with a source is in force on {formatShortDay(date)}.
                  That says nothing for or against the sale.
                </p>
              </div>
            ) : (
              <DataTable
                title="All rules for this sale"
                caption={`Rules of ${state} and of the service on ${formatShortDay(date)}, version ${rules_version}. “Not checked” means that the information for the rule is missing or the rule does not concern the sale: it says nothing for or against the sale. Facts of that day, no legal advice.`}
                columns={checkColumns}
                rows={inOrder(checks)}
                operation="explainCrbSaleChecks"
                file={`checks-${sale?.pos_sale_id ?? saleId}`}
                isWrapped
              />
            )}
          </>
        )}
      </Loaded>
      {sale && (
        <DataTable
          title="Products sold"
          caption="Prices in US dollars before discounts and taxes."
          columns={lineColumns}
          rows={sale.line_items}
          operation="listCrbSales"
          file={`lines-${sale.pos_sale_id}`}
          isWrapped
        />
      )}
      {!listed && (
        <Loaded of={found} name="The sale">
          {() => !sale && <p class="faint">Its products could not be found among the sales of that day.</p>}
        </Loaded>
      )}
      {sale && rules.length > 0 && (
        <section class="panel pad" aria-labelledby="next-step">
          <h3 id="next-step">What you can do</h3>
          <p>
            Ask the shop for receipt <span class="code">{sale.pos_sale_id}</span>. Typing grams where ounces or pieces
            belong is a frequent cause. If a correction arrives, the service checks the sale again.
          </p>
          <p>
            <a href={`#/businesses/${crbId}/insights`}>Insights of this business</a>
          </p>
          <p class="hint">The customer is not shown.</p>
        </section>
      )}
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
    ...{ dateStyle: "medium", timeStyle: "short", timeZone: "UTC" },
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
          ["Text", citation ?? noLaw],
          ["Checked against", rules],
        ]}
      />
    </section>
  );
}
