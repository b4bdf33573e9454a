import { formatDay } from "../../../browser/formatDay.ts";
import { ActionButton, Field, Notice } from "../../../browser/parts.tsx";
import { useForm } from "../../../browser/useForm.ts";
import { parseCents } from "../deposits/amount.ts";
import { parseDay } from "../deposits/day.ts";
import { useDraft } from "../drafts.ts";
import { inDollars } from "../money.ts";
import { useSession } from "../session.tsx";
import { useRead } from "../useRead.ts";
import { ApiLink, Loaded } from "./layout.tsx";

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
  const day = parseDay(count.date, Date.now());
  const amount = parseCents(count.amount) ?? -1;
  const { form, problems, problem, isBusy } = useForm({
    explain,
    check() {
      if ("day" in day && amount >= 0) return undefined;
      return {
        date: "problem" in day ? day.problem : "",
        amount: amount < 0 ? "This is no amount such as 1,234.56." : "",
      };
    },
    async send() {
      if ("problem" in day) return;
      await client("setCashCount", { path: { crb_id: crbId, date: day.day }, body: { amount } });
      announce(`The count of ${formatDay(day.day)} is stored.`);
      clearCount();
      counts.reload();
    },
  });
  return (
    <form {...form}>
      <p class="hint">The cash at the business at the end of a day, after the deposits of that day.</p>
      <Field
        id="count-date"
        label="Day"
        type="date"
        value={count.date}
        changed={(date) => setCount({ ...count, date })}
        problem={problems?.date}
      />
      <Field
        id="count-amount"
        label="US dollars"
        value={count.amount}
        changed={(text) => setCount({ ...count, amount: text })}
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
              : `Stored: ${data.map((each) => `${formatDay(each.date, "medium")} ${inDollars(each.amount)}`).join("; ")}`}
          </p>
        )}
      </Loaded>
    </form>
  );
}
