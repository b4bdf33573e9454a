import { useState } from "preact/hooks";
import { ActionButton, Notice, Problem } from "../../../browser/parts.tsx";
import { useForm } from "../../../browser/useForm.ts";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { matterState, thresholdUnits } from "../texts.ts";
import { useRead } from "../useRead.ts";
import { type Column, StackTable } from "./dataTable.tsx";
import { Loaded, Section } from "./layout.tsx";

type Settings = Output<"getInsightSettings">;
type Code = keyof Settings;

/** The API counts large cash payments in cents. */
const scaleOf = (code: Code): number => (code === "large_cash_payment" ? 100 : 1);
const nameOf = (code: Code): string => matterState(code)[1];

/** Which insights are raised, and their thresholds. @param canChange whether the person may change them */
export function InsightSettings({ canChange }: { canChange: boolean }) {
  const settings = useRead("getInsightSettings", {});
  return (
    <Section title="Insights" operation="getInsightSettings">
      <Loaded of={settings} name="The settings of insights">
        {(data) => <Form key={JSON.stringify(data)} {...{ data, canChange }} reload={settings.reload} />}
      </Loaded>
    </Section>
  );
}

interface FormProps {
  data: Settings;
  canChange: boolean;
  reload(): void;
}

function Form({ data, canChange, reload }: FormProps) {
  const { client, explain, announce } = useSession();
  const [settings, setSettings] = useState(data);
  const codes = Object.keys(settings) as Code[];
  const change = (code: Code, part: Partial<Settings[Code]>) =>
    setSettings({ ...settings, [code]: { ...settings[code], ...part } });
  const { form, problems, problem, isBusy } = useForm({
    explain,
    check() {
      const wrong = codes.find((code) => Number.isNaN(settings[code].threshold));
      return wrong && `The threshold of “${nameOf(wrong)}” is no number.`;
    },
    async send() {
      await client("setInsightSettings", { body: settings });
      announce("The settings of insights are stored.");
      reload();
    },
  });
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
    <form {...form}>
      <fieldset disabled={!canChange}>
        <legend class="unseen">Insights</legend>
        <StackTable
          style="form-rows"
          caption="The gravest first. A change applies from the next computation on, which judges the newest 90 days again."
          columns={columns}
          rows={codes}
          keyOf={(code) => code}
        />
      </fieldset>
      <Problem id="insights-problem">{problems}</Problem>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {canChange && (
        <ActionButton isBusy={isBusy} busyLabel="Storing …">
          Store the settings of insights
        </ActionButton>
      )}
    </form>
  );
}
