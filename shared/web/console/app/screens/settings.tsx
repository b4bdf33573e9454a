import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { ActionButton, Field, Notice, Problem } from "../../../browser/parts.tsx";
import { useForm } from "../../../browser/useForm.ts";
import { parseCents } from "../deposits/amount.ts";
import type { Place } from "../findScreen.ts";
import type { Output } from "../operations.ts";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { type Column, StackTable } from "../parts/dataTable.tsx";
import { ApiLink, Head, Loaded, Section } from "../parts/layout.tsx";
import { useSession } from "../session.tsx";
import { matterState, thresholdUnits, unclearPayments } from "../texts.ts";
import { useRead } from "../useRead.ts";

/** The settings of insights, and of the comparison of deposits of a business. Only administrators change them. */
export function Settings({ query }: Place) {
  const { person } = useSession();
  const [crbId, setCrbId] = useState(query.get("crb_id") ?? "");
  const isReader = person.role !== "administrator";
  const insights = useRead("getInsightSettings", {});
  return (
    <>
      <Head title="Settings" lead={isReader && "Your role reads the settings. Administrators change them."} />
      <Section title="Insights" operation="getInsightSettings">
        <Loaded of={insights} name="The settings of insights">
          {(data) => <InsightSettings key={JSON.stringify(data)} data={data} reload={insights.reload} />}
        </Loaded>
      </Section>
      <Section title="Comparison of deposits">
        <div class="panel pad">
          <BusinessChoice value={crbId} changed={setCrbId} />
          {crbId && <OfBusiness key={crbId} crbId={crbId} />}
        </div>
      </Section>
    </>
  );
}

interface FormProps {
  /** What the settings are about. */
  subject: string;
  /** The problem of the fields, in words. */
  check(): string | undefined;
  store(): Promise<unknown>;
  reload(): void;
  children: ComponentChildren;
}

/** The form of settings, for administrators with the button that stores them. */
function SettingsForm({ subject, check, store, reload, children }: FormProps) {
  const { person, explain, announce } = useSession();
  const { form, problems, problem, isBusy } = useForm({
    explain,
    check,
    async send() {
      await store();
      announce(`The settings of ${subject} are stored.`);
      reload();
    },
  });
  const id = useId();
  const canChange = person.role === "administrator";
  return (
    <form {...form}>
      <fieldset disabled={!canChange}>{children}</fieldset>
      <Problem id={id}>{problems}</Problem>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {canChange && (
        <ActionButton isBusy={isBusy} busyLabel="Storing …">
          Store the settings of {subject}
        </ActionButton>
      )}
    </form>
  );
}

interface SettingsProps<Data> {
  data: Data;
  reload(): void;
}

type InsightCodes = Output<"getInsightSettings">;
type Code = keyof InsightCodes;

/** The API counts large cash payments in cents. */
const scaleOf = (code: Code): number => (code === "large_cash_payment" ? 100 : 1);
const nameOf = (code: Code): string => matterState(code)[1];

/** Which insights are raised, and their thresholds. */
function InsightSettings({ data, reload }: SettingsProps<InsightCodes>) {
  const { client } = useSession();
  const [settings, setSettings] = useState(data);
  const codes = Object.keys(settings) as Code[];
  const change = (code: Code, part: Partial<InsightCodes[Code]>) =>
    setSettings({ ...settings, [code]: { ...settings[code], ...part } });
  const columns: Column<Code>[] = [
    { label: "Insight", value: nameOf },
    {
      label: "Raised",
      shown: (code) => (
        <input
          type="checkbox"
          aria-label={`Raise “${nameOf(code)}”`}
          checked={settings[code].enabled}
          onChange={({ currentTarget }) => change(code, { enabled: currentTarget.checked })}
        />
      ),
    },
    {
      label: "Above",
      value: (code) => settings[code].threshold,
      shown: (code) => (
        <input
          type="text"
          inputMode="decimal"
          aria-label={`Threshold of “${nameOf(code)}”`}
          defaultValue={String((data[code].threshold ?? 0) / scaleOf(code))}
          onInput={({ currentTarget }) =>
            change(code, { threshold: Number(currentTarget.value.trim() || Number.NaN) * scaleOf(code) })
          }
        />
      ),
      none: "any case",
    },
    { label: "Unit", value: (code) => thresholdUnits[code] },
  ];
  return (
    <SettingsForm
      subject="insights"
      check={() => {
        const wrong = codes.find((code) => Number.isNaN(settings[code].threshold));
        return wrong && `The threshold of “${nameOf(wrong)}” is no number.`;
      }}
      store={() => client("setInsightSettings", { body: settings })}
      reload={reload}
    >
      <legend class="unseen">Insights</legend>
      <StackTable
        style="form-rows"
        caption="The gravest first. A change applies from the next computation on, which judges the newest 90 days again."
        columns={columns}
        rows={codes}
        keyOf={(code) => code}
      />
    </SettingsForm>
  );
}

function OfBusiness({ crbId }: { crbId: string }) {
  const settings = useRead("getReconciliationSettings", { path: { crb_id: crbId } });
  return (
    <Loaded of={settings} name="The settings of the comparison">
      {(data) => <Comparison key={JSON.stringify(data)} crbId={crbId} data={data} reload={settings.reload} />}
    </Loaded>
  );
}

interface ComparisonProps extends SettingsProps<Output<"getReconciliationSettings">> {
  crbId: string;
}

type Unclear = keyof typeof unclearPayments;

/** How deposits of a business are compared with its sales. */
function Comparison({ crbId, data, reload }: ComparisonProps) {
  const { client } = useSession();
  const [texts, setTexts] = useState({
    since: data.since ?? "",
    amount: (data.tolerance_amount / 100).toFixed(2),
    percent: String(data.tolerance_percent),
    days: String(data.max_days_without_deposit),
  });
  const [neverCash, setNeverCash] = useState<readonly Unclear[]>(data.never_cash);
  const { since, amount, percent, days } = texts;
  const cents = parseCents(amount);
  const isWhole = [percent, days].every((text) => /^\d{1,4}$/.test(text.trim()));
  const store = () => {
    const body = {
      since: since || null,
      never_cash: [...neverCash],
      tolerance_amount: cents ?? 0,
      tolerance_percent: Number(percent),
      max_days_without_deposit: Number(days),
    };
    return client("setReconciliationSettings", { path: { crb_id: crbId }, body });
  };
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
    <SettingsForm
      subject="the comparison"
      check={() => (cents === undefined || !isWhole ? "Enter an amount such as 100.00, and whole numbers." : undefined)}
      store={store}
      reload={reload}
    >
      <legend>
        Compared by <ApiLink operation="getReconciliationSettings" />
      </legend>
      {field("since", "First compared day (empty: the first complete one)", "date")}
      {field("amount", "Tolerance in US dollars")}
      {field("percent", "Tolerance in % of the cash sold since the count; the greater one holds")}
      {field("days", "Days that cash may stay at the business")}
      <fieldset>
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
    </SettingsForm>
  );
}
