import { useEffect, useRef, useState } from "preact/hooks";
import { statementFormats } from "../../../../api/enumerations.ts";
import { ActionButton, Notice, Problem, useFocusOnProblem } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { useDraft } from "../drafts.ts";
import type { Place } from "../findScreen.ts";
import { ApiLink } from "../parts/apiLink.tsx";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { DaysFields } from "../parts/daysFields.tsx";
import { Head } from "../parts/head.tsx";
import { StatementList } from "../parts/statementList.tsx";
import { lastMonth, problemOfDays } from "../period.ts";
import { useSession } from "../session.tsx";
import { formatNames } from "../texts.ts";
import { useRead } from "../useRead.ts";

type Format = (typeof statementFormats)[number];

/** Statements of days for an examiner: choose what to make, and take the files. */
export function Statements({ query }: Place) {
  const [crbId, setCrbId] = useState(query.get("crb_id") ?? "");
  return (
    <>
      <Head
        title="Statements"
        lead="What the point of sale reported and the bank entered about some days, with the days that are not complete named on page one. A statement never changes."
      />
      <div class="panel pad">
        <BusinessChoice value={crbId} changed={setCrbId} />
      </div>
      {crbId && <OfBusiness key={crbId} crbId={crbId} />}
    </>
  );
}

/** Milliseconds between two readings of statements that are being made. */
const pollMs = 3_000;

function OfBusiness({ crbId }: { crbId: string }) {
  const { person, announce } = useSession();
  const list = useRead("listStatements", { path: { crb_id: crbId }, query: { limit: 100 } });
  const unfinished = list.data?.data.filter(({ status }) => status === "queued" || status === "running").length ?? 0;
  const before = useRef(0);

  useEffect(() => {
    if (unfinished < before.current) announce("A statement is finished.");
    before.current = unfinished;
    if (unfinished === 0) return undefined;
    const timer = setInterval(list.reload, pollMs);
    return () => clearInterval(timer);
  }, [unfinished, list.reload, announce]);

  return (
    <>
      {person.role !== "viewer" && <Form crbId={crbId} made={list.reload} />}
      <StatementList list={list} crbId={crbId} />
    </>
  );
}

function Form({ crbId, made }: { crbId: string; made(): void }) {
  const { client, explain, announce } = useSession();
  const [{ format, ...days }, setDraft, clear] = useDraft(`statement:${crbId}`, {
    ...lastMonth(new Date()),
    format: "html" as Format,
  });
  const [wrong, setWrong] = useState<string>();
  const { isBusy, problem, run } = useAction(explain);
  const form = useFocusOnProblem(wrong);
  /** The key of the request, which stays the same until it succeeds or its content changes. */
  const sent = useRef({ content: "", key: "" });

  function make(event: Event) {
    event.preventDefault();
    const found = problemOfDays(days.start_date, days.end_date);
    setWrong(found);
    if (found) return;
    const body = { ...days, format };
    const content = JSON.stringify(body);
    if (sent.current.content !== content) sent.current = { content, key: crypto.randomUUID() };
    void run(async () => {
      await client("createStatement", { path: { crb_id: crbId }, body, idempotencyKey: sent.current.key });
      sent.current = { content: "", key: "" };
      announce("The statement is being made.");
      clear();
      made();
    });
  }
  return (
    <section aria-labelledby="make">
      <div class="section-head">
        <h2 id="make">
          Make a statement <ApiLink operation="createStatement" />
        </h2>
      </div>
      <form class="panel pad" noValidate onSubmit={make} ref={form}>
        <div class="bar">
          <DaysFields days={days} changed={(next) => setDraft({ ...next, format })} isWrong={wrong !== undefined} />
          <div class="field">
            <label for="format">Files</label>
            <select
              id="format"
              value={format}
              onChange={({ currentTarget }) => setDraft({ ...days, format: currentTarget.value as Format })}
            >
              {statementFormats.map((each) => (
                <option key={each} value={each}>
                  {formatNames[each]}
                </option>
              ))}
            </select>
          </div>
          <ActionButton isBusy={isBusy} busyLabel="Requesting …">
            Make the statement
          </ActionButton>
        </div>
        <Problem id="days-problem">{wrong}</Problem>
        <p class="hint">
          At most 400 days, in the time zone of the business. It takes up to some minutes; you can leave this page.
        </p>
        {problem && <Notice kind="problem">{problem}</Notice>}
      </form>
    </section>
  );
}
