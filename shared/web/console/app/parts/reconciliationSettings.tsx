import { useState } from "preact/hooks";
import { ActionButton, Field, Notice, Problem } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { parseCents } from "../deposits/amount.ts";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { unclearPayments } from "../texts.ts";
import { useRead } from "../useRead.ts";
import { ApiLink } from "./apiLink.tsx";
import { Loaded } from "./loaded.tsx";

type Settings = Output<"getReconciliationSettings">;
type Unclear = keyof typeof unclearPayments;

interface SettingsProps {
  crbId: string;
  canChange: boolean;
}

/** How deposits of a business are compared with its sales. */
export function ReconciliationSettings({ crbId, canChange }: SettingsProps) {
  const settings = useRead("getReconciliationSettings", { path: { crb_id: crbId } });
  return (
    <Loaded of={settings} name="The settings of the comparison">
      {(data) => <Form key={JSON.stringify(data)} {...{ data, crbId, canChange }} reload={settings.reload} />}
    </Loaded>
  );
}

interface FormProps extends SettingsProps {
  data: Settings;
  reload(): void;
}

function Form({ data, crbId, canChange, reload }: FormProps) {
  const { client, explain, announce } = useSession();
  const { isBusy, problem, run } = useAction(explain);
  const [since, setSince] = useState(data.since ?? "");
  const [neverCash, setNeverCash] = useState<readonly Unclear[]>(data.never_cash);
  const [amount, setAmount] = useState((data.tolerance_amount / 100).toFixed(2));
  const [percent, setPercent] = useState(String(data.tolerance_percent));
  const [days, setDays] = useState(String(data.max_days_without_deposit));
  const [wrong, setWrong] = useState("");

  function save(event: Event) {
    event.preventDefault();
    const cents = parseCents(amount);
    const isWhole = [percent, days].every((text) => /^\d{1,4}$/.test(text.trim()));
    setWrong(cents === undefined || !isWhole ? "Enter an amount such as 100.00, and whole numbers." : "");
    if (cents === undefined || !isWhole) return;
    void run(async () => {
      await client("setReconciliationSettings", {
        path: { crb_id: crbId },
        body: {
          since: since || null,
          never_cash: [...neverCash],
          tolerance_amount: cents,
          tolerance_percent: Number(percent),
          max_days_without_deposit: Number(days),
        },
      });
      announce("The settings of the comparison are stored.");
      reload();
    });
  }
  const field = (id: string, label: string, value: string, changed: (value: string) => void) => (
    <Field {...{ id, label, value, changed }} type="text" autocomplete="off" />
  );
  return (
    <form noValidate onSubmit={save}>
      <fieldset disabled={!canChange}>
        <legend>
          Compared by <ApiLink operation="getReconciliationSettings" />
        </legend>
        <div class="field">
          <label for="since">First compared day (empty: the first complete one)</label>
          <input id="since" type="date" value={since} onInput={({ currentTarget }) => setSince(currentTarget.value)} />
        </div>
        {field("tolerance", "Tolerance in US dollars", amount, setAmount)}
        {field(
          "percent",
          "Tolerance in % of the cash sold since the count; the greater one holds",
          percent,
          setPercent,
        )}
        {field("days", "Days that cash may stay at the business", days, setDays)}
      </fieldset>
      <fieldset disabled={!canChange}>
        <legend>Payments that are certainly no cash, as the business confirmed</legend>
        {(Object.keys(unclearPayments) as Unclear[]).map((means) => (
          <label key={means} class="choice">
            <input
              type="checkbox"
              checked={neverCash.includes(means)}
              onChange={({ currentTarget }) =>
                setNeverCash([...neverCash.filter((each) => each !== means), ...(currentTarget.checked ? [means] : [])])
              }
            />
            <span>{unclearPayments[means]}</span>
          </label>
        ))}
      </fieldset>
      <Problem id="comparison-problem">{wrong}</Problem>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {canChange && (
        <ActionButton isBusy={isBusy} busyLabel="Storing …">
          Store the settings of the comparison
        </ActionButton>
      )}
    </form>
  );
}
