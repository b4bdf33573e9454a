import { useState } from "preact/hooks";
import { ActionButton, Notice, Problem } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { matterState, thresholdUnits } from "../texts.ts";
import { useRead } from "../useRead.ts";
import { ApiLink } from "./apiLink.tsx";
import { Loaded } from "./loaded.tsx";
import { StackTable } from "./stackTable.tsx";

interface Setting {
  enabled: boolean;
  threshold: number | null;
  minimum_history: number;
}
type Settings = Readonly<Record<string, Setting>>;

/** The API counts large cash payments in cents. */
const scaleOf = (code: string): number => (code === "large_cash_payment" ? 100 : 1);

/** Which insights are raised, and their thresholds. @param canChange whether the person may change them */
export function InsightSettings({ canChange }: { canChange: boolean }) {
  const settings = useRead("getInsightSettings", {});
  return (
    <section aria-labelledby="insights">
      <div class="section-head">
        <h2 id="insights">
          Insights <ApiLink operation="getInsightSettings" />
        </h2>
      </div>
      <Loaded of={settings} name="The settings of insights">
        {(data) => <Form key={JSON.stringify(data)} {...{ data, canChange }} reload={settings.reload} />}
      </Loaded>
    </section>
  );
}

interface FormProps {
  data: Output<"getInsightSettings">;
  canChange: boolean;
  reload(): void;
}

function Form({ data, canChange, reload }: FormProps) {
  const { client, explain, announce } = useSession();
  const { isBusy, problem, run } = useAction(explain);
  const [settings, setSettings] = useState<Settings>(data);
  const [wrong, setWrong] = useState("");
  const change = (code: string, part: Partial<Setting>) => {
    const before = settings[code];
    if (before) setSettings({ ...settings, [code]: { ...before, ...part } });
  };
  function save(event: Event) {
    event.preventDefault();
    const invalid = Object.entries(settings).find(([, { threshold }]) => Number.isNaN(threshold));
    setWrong(invalid ? `The threshold of “${matterState(invalid[0])[1]}” is no number.` : "");
    if (invalid) return;
    void run(async () => {
      await client("setInsightSettings", { body: settings as unknown as FormProps["data"] });
      announce("The settings of insights are stored.");
      reload();
    });
  }
  return (
    <form noValidate onSubmit={save}>
      <fieldset disabled={!canChange}>
        <legend class="unseen">Insights</legend>
        <StackTable
          style="form-rows"
          caption="The gravest first. A change applies from the next computation on, which judges the newest 90 days again."
          columns={[
            { label: "Insight", cell: ([code]: [string, Setting]) => matterState(code)[1] },
            {
              label: "Raised",
              cell: ([code, { enabled }]) => (
                <input
                  type="checkbox"
                  aria-label={`Raise “${matterState(code)[1]}”`}
                  checked={enabled}
                  onChange={({ currentTarget }) => change(code, { enabled: currentTarget.checked })}
                />
              ),
            },
            {
              label: "Above",
              cell: ([code, { threshold }]) =>
                threshold === null ? (
                  <span class="faint">any case</span>
                ) : (
                  <input
                    type="text"
                    inputMode="decimal"
                    aria-label={`Threshold of “${matterState(code)[1]}”`}
                    defaultValue={String(threshold / scaleOf(code))}
                    onInput={({ currentTarget }) =>
                      change(code, { threshold: Number(currentTarget.value.trim() || Number.NaN) * scaleOf(code) })
                    }
                  />
                ),
            },
            { label: "Unit", cell: ([code]) => thresholdUnits[code] ?? "" },
          ]}
          rows={Object.entries(settings)}
          keyOf={([code]) => code}
        />
      </fieldset>
      <Problem id="insights-problem">{wrong}</Problem>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {canChange && (
        <ActionButton isBusy={isBusy} busyLabel="Storing …">
          Store the settings of insights
        </ActionButton>
      )}
    </form>
  );
}
