import type { Ref } from "preact";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { formatTime } from "../formatTime.ts";
import { measureIn, periodOf } from "../measures.ts";
import type { Input, Output } from "../operations.ts";
import { counted } from "../queue.ts";
import { useSession } from "../session.tsx";
import { insightState, matterState, roleNames } from "../texts.ts";
import { ApiLink } from "./apiLink.tsx";
import { DecisionForm } from "./decisionForm.tsx";
import { State } from "./mark.tsx";

type Insight = Output<"listInsights">["data"][number];
type DecidedStatus = NonNullable<Input<"decideInsight">["body"]>["status"];

const options: readonly { value: DecidedStatus; title: string; hint: string }[] = [
  { value: "explained", title: "Explained", hint: "You know the cause and it is in order." },
  { value: "dismissed", title: "Dismissed", hint: "It does not matter, such as a known holiday." },
  {
    value: "escalated",
    title: "Escalated",
    hint: "It goes on in your bank’s own case system. Nothing is sent from here.",
  },
  { value: "open", title: "Keep open", hint: "With a note of what you did so far." },
];

interface ArticleProps {
  insight: Insight;
  /** The name of its business. */
  name: string;
  heading: Ref<HTMLHeadingElement>;
  hasNext: boolean;
  decided(insight: Insight, opensNext: boolean): void;
  reload(): void;
}

const at = (date: string) => formatTime(Date.parse(date));

/** An insight: its sentence, the arithmetic, its sources and its history, and the decision next to them. */
export function InsightArticle({ insight, name, heading, hasNext, decided, reload }: ArticleProps) {
  const { code, crb_id, sentence, status, raised_date } = insight;
  return (
    <article class="panel open" aria-labelledby="insight">
      <header>
        <div class="section-head">
          <p>
            <State of={matterState(code)} /> · <a href={`#/businesses/${crb_id}`}>{name}</a>
          </p>
          <p class="asof">
            raised {at(raised_date)} · {insightState(status)[1].toLowerCase()}
          </p>
        </div>
        <h2 id="insight" ref={heading} tabIndex={-1}>
          {sentence}
        </h2>
      </header>
      <div class="pad">
        <Arithmetic insight={insight} />
        <div class="block">
          <Inputs insight={insight} />
        </div>
        <div class="block">
          <h3>History</h3>
          <History insight={insight} />
        </div>
      </div>
      <div class="decide">
        <h3>Your decision</h3>
        <Decide insight={insight} hasNext={hasNext} decided={decided} reload={reload} />
      </div>
    </article>
  );
}

function Arithmetic({ insight: { start_date, end_date, measured, expected, unit, criterion } }: { insight: Insight }) {
  return (
    <div class="block">
      <h3>
        How it is computed <ApiLink operation="listInsights" />
      </h3>
      <dl class="pairs">
        <dt>Measured</dt>
        <dd>
          <strong class="num">{measureIn(measured, unit)}</strong>
        </dd>
        <dt>Expected</dt>
        <dd class="num">{expected === null ? "not shown: it is about other businesses" : measureIn(expected, unit)}</dd>
        <dt>Raised when</dt>
        <dd>{criterion}</dd>
        <dt>Complete days</dt>
        <dd>{periodOf(start_date, end_date)}</dd>
      </dl>
    </div>
  );
}

/** The days, sales and the license that an insight was computed from. */
function Inputs({ insight: { crb_id, inputs } }: { insight: Insight }) {
  const { days, sale_ids, license_id } = inputs;
  return (
    <>
      {sale_ids.length > 0 && (
        <>
          <h3>Sales that it is about</h3>
          <ul>
            {sale_ids.map((id) => (
              <li key={id}>
                <a class="code" href={`#/businesses/${crb_id}/sales?sale=${id}`}>
                  {id}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {license_id && (
        <p>
          License: <a href={`#/businesses/${crb_id}/licenses`}>{license_id}</a>
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
  return (
    <ol class="history">
      {withdrawn_date && (
        <li>
          <p>
            <strong>Withdrawn</strong> · {at(withdrawn_date)}
          </p>
          <p class="small faint">by the service, since it does not hold any more</p>
        </li>
      )}
      {history.toReversed().map(({ date, status, note, decided_by, decided_by_person }) => (
        <li key={date}>
          <p>
            <strong>{insightState(status)[1]}</strong> · {at(date)}
          </p>
          <p class="small faint">
            {decided_by_person ? (decided_by_person.name ?? decided_by_person.sub) : `program ${decided_by}`}
          </p>
          <p>“{note}”</p>
        </li>
      ))}
      <li>
        <p>
          <strong>{occurrence > 1 ? `Raised, time ${occurrence}` : "Raised"}</strong> · {at(raised_date)}
        </p>
        <p class="small faint">by the service, from complete days</p>
      </li>
    </ol>
  );
}

/** The form; for viewers and withdrawn insights the reason why there is none. */
function Decide({ insight, hasNext, decided, reload }: Omit<ArticleProps, "name" | "heading">) {
  const { client, person } = useSession();
  const { id, status, revision, withdrawn_date } = insight;
  if (status === "withdrawn")
    return (
      <p>
        Withdrawn{withdrawn_date && ` on ${formatShortDay(withdrawn_date)}`}: it does not hold any more, so it takes no
        decision.
      </p>
    );
  if (person.role === "viewer")
    return (
      <p>
        You can read everything here. Your role, {roleNames.viewer.toLowerCase()}, cannot decide; reviewers and
        administrators can. The person who manages your bank’s accounts can change your role.
      </p>
    );
  return (
    <DecisionForm
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
      hasNote={() => true}
      hasNext={hasNext}
      after={`Saved as ${person.name ?? person.sub}, with date and time. A decision can be changed; none is erased.`}
      save={async ({ choice, note }, opensNext) => {
        const body = { status: choice, note, revision };
        decided(await client("decideInsight", { path: { insight_id: id }, body }), opensNext);
      }}
      reload={reload}
    />
  );
}
