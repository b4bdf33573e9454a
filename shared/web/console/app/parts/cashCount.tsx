import { useState } from "preact/hooks";
import { formatDay } from "../../../browser/formatDay.ts";
import { ActionButton, Field, Notice, Problem, useFocusOnProblem } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { parseCents } from "../deposits/amount.ts";
import { parseDay } from "../deposits/day.ts";
import { useDraft } from "../drafts.ts";
import { inDollars } from "../money.ts";
import { useSession } from "../session.tsx";
import { useRead } from "../useRead.ts";
import { ApiLink } from "./apiLink.tsx";
import { Loaded } from "./loaded.tsx";

/** The form of a cash count, from which the balance of later days starts. @param crbId empty if none is chosen */
export function CashCount({ crbId }: { crbId: string }) {
  return (
    <section class="panel pad" aria-labelledby="count">
      <h2 id="count">
        Cash count <ApiLink operation="setCashCount" />
      </h2>
      {crbId ? <Form crbId={crbId} /> : <p class="hint">Choose the business first.</p>}
    </section>
  );
}

function Form({ crbId }: { crbId: string }) {
  const { client, explain, announce } = useSession();
  const counts = useRead("listCashCounts", { path: { crb_id: crbId }, query: { limit: 3 } });
  const [count, setCount, clearCount] = useDraft(`count:${crbId}`, { date: "", amount: "" });
  const [problems, setProblems] = useState<{ date?: string; amount?: string }>();
  const { isBusy, problem, run } = useAction(explain);
  const form = useFocusOnProblem(problems);

  function save(event: Event) {
    event.preventDefault();
    const day = parseDay(count.date, Date.now());
    const amount = parseCents(count.amount);
    const isAmount = amount !== undefined && amount >= 0;
    if ("problem" in day || !isAmount)
      return setProblems({
        ...("problem" in day && { date: day.problem }),
        ...(!isAmount && { amount: "This is no amount such as 1,234.56." }),
      });
    setProblems(undefined);
    void run(async () => {
      await client("setCashCount", { path: { crb_id: crbId, date: day.day }, body: { amount } });
      announce(`The count of ${formatDay(day.day)} is stored.`);
      clearCount();
      counts.reload();
    });
  }

  return (
    <form noValidate onSubmit={save} ref={form}>
      <p class="hint">The cash at the business at the end of a day, after the deposits of that day.</p>
      <div class="field">
        <label for="count-date">Day</label>
        <input
          id="count-date"
          type="date"
          value={count.date}
          onInput={({ currentTarget }) => setCount({ ...count, date: currentTarget.value })}
          aria-invalid={problems?.date ? true : undefined}
          aria-describedby="count-date-problem"
        />
        <Problem id="count-date-problem">{problems?.date}</Problem>
      </div>
      <Field
        id="count-amount"
        label="US dollars"
        type="text"
        autocomplete="off"
        value={count.amount}
        changed={(amount) => setCount({ ...count, amount })}
        problem={problems?.amount}
      />
      {problem && <Notice kind="problem">{problem}</Notice>}
      <ActionButton kind="secondary" isBusy={isBusy} busyLabel="Storing …">
        Store the count
      </ActionButton>
      <Loaded of={counts} name="The stored counts">
        {({ data }) => (
          <p class="hint">
            {data.length === 0
              ? "No count is stored: the balance needs one."
              : `Stored: ${data.map(({ date, amount }) => `${formatDay(date, "medium")} ${inDollars(amount)}`).join("; ")}`}
          </p>
        )}
      </Loaded>
    </form>
  );
}
