import { useState } from "preact/hooks";
import { ActionButton, Field, Notice, Problem } from "../../../browser/parts.tsx";
import { useForm } from "../../../browser/useForm.ts";
import { parseCents } from "../deposits/amount.ts";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { unclearPayments } from "../texts.ts";
import { useRead } from "../useRead.ts";
import { ApiLink, Loaded } from "./layout.tsx";

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
  data: Output<"getReconciliationSettings">;
  reload(): void;
}

function Form({ data, crbId, canChange, reload }: FormProps) {
  const { client, explain, announce } = useSession();
  const [texts, setTexts] = useState({
    since: data.since ?? "",
    amount: (data.tolerance_amount / 100).toFixed(2),
    percent: String(data.tolerance_percent),
    days: String(data.max_days_without_deposit),
  });
  const [neverCash, setNeverCash] = useState<readonly Unclear[]>(data.never_cash);
  const { since, amount, percent, days } = texts;
  const cents = parseCents(amount);
  const { form, problems, problem, isBusy } = useForm({
    explain,
    check() {
      const isWhole = [percent, days].every((text) => /^\d{1,4}$/.test(text.trim()));
      return cents === undefined || !isWhole ? "Enter an amount such as 100.00, and whole numbers." : undefined;
    },
    async send() {
      const body = {
        since: since || null,
        never_cash: [...neverCash],
        tolerance_amount: cents ?? 0,
        tolerance_percent: Number(percent),
        max_days_without_deposit: Number(days),
      };
      await client("setReconciliationSettings", { path: { crb_id: crbId }, body });
      announce("The settings of the comparison are stored.");
      reload();
    },
  });
  const field = (name: keyof typeof texts, label: string, type: "text" | "date" = "text") => (
    <Field
      id={name}
      label={label}
      type={type}
      value={texts[name]}
      changed={(value) => setTexts({ ...texts, [name]: value })}
    />
  );
  return (
    <form {...form}>
      <fieldset disabled={!canChange}>
        <legend>
          Compared by <ApiLink operation="getReconciliationSettings" />
        </legend>
        {field("since", "First compared day (empty: the first complete one)", "date")}
        {field("amount", "Tolerance in US dollars")}
        {field("percent", "Tolerance in % of the cash sold since the count; the greater one holds")}
        {field("days", "Days that cash may stay at the business")}
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
      <Problem id="comparison-problem">{problems}</Problem>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {canChange && (
        <ActionButton isBusy={isBusy} busyLabel="Storing …">
          Store the settings of the comparison
        </ActionButton>
      )}
    </form>
  );
}
