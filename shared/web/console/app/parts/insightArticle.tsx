import { formatShortDay } from "../../../browser/formatDay.ts";
import { counted, formatTime, measureIn, periodOf, titleOf, withDays } from "../format.ts";
import type { Input, Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { insightState, matterState, nameOfPerson } from "../texts.ts";
import { Decision } from "./decision.tsx";
import { ApiLink, Links, Pairs } from "./layout.tsx";
import { LimitBar, State } from "./marks.tsx";

type Insight = Output<"listInsights">["data"][number];
type DecidedStatus = NonNullable<Input<"decideInsight">["body"]>["status"];

const options: readonly (readonly [DecidedStatus, string, string])[] = [
  ["explained", "Explained", "You know the cause and it is in order."],
  ["dismissed", "Dismissed", "It does not matter, such as a known holiday."],
  ["escalated", "Escalated", "It goes on in your bank’s own case system. Nothing is sent from here."],
  ["open", "Keep open", "With a note of what you did so far."],
];

interface ArticleProps {
  insight: Insight;
  /** The name of its business. */
  name: string;
  hasNext: boolean;
  decided(insight: Insight, opensNext: boolean): void;
  reload(): void;
}

/** An insight: its sentence, the arithmetic, its sources and its history, and the decision next to them. */
export function InsightArticle({ insight, name, hasNext, decided, reload }: ArticleProps) {
  const { client, person } = useSession();
  const { id, code, crb_id, status, raised_date, withdrawn_date, revision } = insight;
  const { measured, expected, unit, criterion, start_date, end_date, latest } = insight;
  const withdrawn = withdrawn_date ? ` on ${formatShortDay(withdrawn_date)}` : "";
  return (
    <article class="panel open" aria-labelledby="insight">
      <header>
        <div class="section-head">
          <p>
            <State of={matterState(code)} /> · <a href={`#/businesses/${crb_id}`}>{name}</a>
          </p>
          <p class="asof">
            raised {formatTime(raised_date)} · {insightState(status)[1].toLowerCase()}
          </p>
        </div>
        <h2 id="insight" tabIndex={-1}>
          {titleOf(insight)}
        </h2>
      </header>
      <div class="pad">
        <h3>
          How it is computed <ApiLink operation="listInsights" />
        </h3>
        {expected !== null && (
          <LimitBar
            value={measured}
            limit={expected}
            limitWords={`expected ${measureIn(expected, unit)}`}
            valueWords={`measured ${measureIn(measured, unit)}`}
          />
        )}
        <Pairs
          of={[
            ["Measured", <strong key="measured">{measureIn(measured, unit)}</strong>],
            ["Expected", expected === null ? "not shown: it is about other businesses" : measureIn(expected, unit)],
            ["Raised when", criterion],
            ["Complete days", periodOf(start_date, end_date)],
            [
              // The newest figures of a state that lasts, next to those of its first day.
              `As of ${formatShortDay(latest?.as_of ?? "")}`,
              latest && (
                <>
                  <strong>{measureIn(latest.measured, unit)}</strong>. {withDays(latest.sentence)}
                  {latest.ended_on && ` It held no more on ${formatShortDay(latest.ended_on)}.`}
                </>
              ),
            ],
          ]}
        />
        <Inputs insight={insight} />
        <h3>History</h3>
        <History insight={insight} />
      </div>
      <Decision
        task="decide"
        closed={
          status === "withdrawn"
            ? `Withdrawn${withdrawn}: it does not hold any more, so it takes no decision.`
            : undefined
        }
        draft={`insight:${id}`}
        options={options}
        noteLabel="Note"
        noteHint={
          <>
            1 to 500 characters. It stays in the history and in statements for examiners.{" "}
            <strong>Never write here what a suspicious activity report says, or whether there is one</strong>: its
            confidentiality is required by law.
          </>
        }
        hasNext={hasNext}
        after={`Saved as ${nameOfPerson(person)}, with date and time. A decision can be changed; none is erased.`}
        save={async (choice, note, opensNext) => {
          const body = { status: choice, note, revision };
          decided(await client("decideInsight", { path: { insight_id: id }, body }), opensNext);
        }}
        reload={reload}
      />
    </article>
  );
}

/** The days, sales and licenses that an insight was computed from. */
function Inputs({ insight: { crb_id, code, measured, unit, inputs } }: { insight: Insight }) {
  const { days, sales, licenses } = inputs;
  const own = `#/businesses/${crb_id}`;
  const part =
    unit === "sales" && measured > sales.length
      ? `These are ${sales.length} of ${counted(measured, "sale")}.`
      : code !== "flagged_sale" && sales.length > 1 && "Of several sales, an insight can name only a part.";
  return (
    <>
      {sales.length > 0 && (
        <>
          <h3>Open a sale to see its products and rules</h3>
          <ul>
            {sales.map(({ id, pos_sale_id, rules }) => (
              <li key={id}>
                <a href={`${own}/sales?sale=${id}`}>Sale {pos_sale_id ?? id}</a>{" "}
                {rules.map(({ name }) => name).join(", ")}
              </li>
            ))}
          </ul>
          {part && <p class="hint">{part}</p>}
        </>
      )}
      {licenses.length > 0 && (
        <p>
          License: <Links of={licenses.map(({ id, number }) => [`${own}/licenses`, number ?? id])} />
        </p>
      )}
      <details>
        <summary>Based on: {counted(days.length, "period of complete days", "periods of complete days")}</summary>
        <p class="small">
          The digest identifies the sales of the days. If a day is revised, the service computes the insight again, and
          withdraws it if it no longer holds.
        </p>
        <dl class="small">
          {days.map(({ start_date, end_date, digest }) => (
            <div key={`${start_date} ${end_date}`}>
              <dt>{periodOf(start_date, end_date)}</dt>
              <dd class="code">{digest}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

/** What happened with an insight, the newest first. */
function History({ insight: { history, raised_date, withdrawn_date, occurrence } }: { insight: Insight }) {
  const raised = occurrence > 1 ? `Raised, time ${occurrence}` : "Raised";
  const events: (readonly [date: string, title: string, by: string, note?: string])[] = [
    [raised_date, raised, "by the service, from complete days"],
    ...history.map(({ date, status, note, decided_by, decided_by_person: person }) => {
      const by = person ? nameOfPerson(person) : `program ${decided_by}`;
      return [date, insightState(status)[1], by, note] as const;
    }),
  ];
  if (withdrawn_date) events.push([withdrawn_date, "Withdrawn", "by the service, since it does not hold any more"]);
  return (
    <ol class="list">
      {events.toReversed().map(([date, title, by, note]) => (
        <li key={`${title} ${date}`}>
          <p>
            <strong>{title}</strong> · {formatTime(date)}
          </p>
          <p class="small faint">{by}</p>
          {note && <p>“{note}”</p>}
        </li>
      ))}
    </ol>
  );
}
