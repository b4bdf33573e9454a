import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { unclearPaymentTypes } from "../../../../api/enumerations.ts";
import { Field } from "../../../browser/parts.tsx";
import { parseCents } from "../deposits/amount.ts";
import type { Place } from "../findScreen.ts";
import type { Output } from "../operations.ts";
import { BusinessChoice } from "../parts/businessFrame.tsx";
import { Form } from "../parts/form.tsx";
import { Head, Reading, Section } from "../parts/layout.tsx";
import { type Column, StackTable, text } from "../parts/table.tsx";
import { useSession } from "../session.tsx";
import { matterState, thresholdUnits, unclearPayment } from "../texts.ts";

/** The settings of insights, and of the comparison of deposits of a business. Only administrators change them. */
export function Settings({ query }: Place) {
  const { person } = useSession();
  const [crbId, setCrbId] = useState(query.get("crb_id") ?? "");
  const isReader = person.role !== "administrator";
  return (
    <>
      <Head title="Settings" lead={isReader && "Your role reads the settings. Administrators change them."} />
      <Section title="Insights" operation="getInsightSettings">
        <Reading of="getInsightSettings" input={{}} name="The settings of insights">
          {(data, reload) => <InsightSettings key={JSON.stringify(data)} data={data} reload={reload} />}
        </Reading>
      </Section>
      <Section title="Comparison of deposits" operation="getReconciliationSettings">
        <div class="panel pad">
          <BusinessChoice value={crbId} changed={setCrbId} />
          {crbId && (
            <Reading
              key={crbId}
              of="getReconciliationSettings"
              input={{ path: { crb_id: crbId } }}
              name="The settings of the comparison"
            >
              {(data, reload) => <Comparison key={JSON.stringify(data)} crbId={crbId} data={data} reload={reload} />}
            </Reading>
          )}
        </div>
      </Section>
    </>
  );
}

/** Names a draft that is only shown with the settings for which it was typed: it has all fields of its form. */
const draftOf = (subject: string, data: object): string => `settings:${subject}:${JSON.stringify(data)}`;

interface FormProps {
  /** What the settings are about. */
  subject: string;
  draft: string;
  store(fields: Record<string, string>): Promise<unknown>;
  reload(): void;
  children: ComponentChildren;
}

/** The form of settings; only administrators can change its fields. */
function SettingsForm({ subject, draft, store, reload, children }: FormProps) {
  const { person, announce } = useSession();
  if (person.role !== "administrator") return <fieldset disabled>{children}</fieldset>;
  return (
    <Form
      draft={draft}
      buttons={[`Store the settings of ${subject}`]}
      busyLabel="Storing …"
      send={async (fields) => {
        await store(fields);
        announce(`The settings of ${subject} are stored.`);
        reload();
      }}
    >
      {children}
    </Form>
  );
}

type InsightCodes = Output<"getInsightSettings">;
type Code = keyof InsightCodes;

/** The API counts large cash payments in cents. */
const isInCents = (code: Code): boolean => code === "large_cash_payment";
const nameOf = (code: Code): string => matterState(code)[1];

/** An amount in cents. The service rejects a text that is no amount. */
const centsIn = (text: string | undefined): number => parseCents(text ?? "") ?? Number.NaN;

/** The entries of settings that differ from those that the form showed. */
function changedIn<Settings extends object>(settings: Settings, shown: object): Partial<Settings> {
  const before = new Map(Object.entries(shown).map(([name, value]) => [name, JSON.stringify(value)]));
  const changed = Object.entries(settings).filter(([name, value]) => JSON.stringify(value) !== before.get(name));
  return Object.fromEntries(changed) as Partial<Settings>;
}

interface SettingsProps<Data> {
  data: Data;
  reload(): void;
}

/** Which insights are raised, and their thresholds. */
function InsightSettings({ data, reload }: SettingsProps<InsightCodes>) {
  const { client } = useSession();
  const codes = Object.keys(data) as Code[];
  const columns: Column<Code>[] = [
    text("Insight", nameOf),
    {
      label: "Raised",
      shown: (code) => (
        <input
          type="checkbox"
          name={`${code}.enabled`}
          aria-label={`Raise “${nameOf(code)}”`}
          defaultChecked={data[code].enabled}
        />
      ),
    },
    {
      label: "Above",
      value: (code) => data[code].threshold,
      shown: (code) => (
        <input
          type="number"
          name={`${code}.threshold`}
          min={0}
          step="any"
          required
          aria-label={`Threshold of “${nameOf(code)}”`}
          defaultValue={String((data[code].threshold ?? 0) / (isInCents(code) ? 100 : 1))}
        />
      ),
      none: "any case",
    },
    text("Unit", (code) => thresholdUnits[code]),
  ];
  const store = async (fields: Record<string, string>) => {
    const entries = codes.map((code) => {
      const threshold = fields[`${code}.threshold`];
      const set = {
        enabled: fields[`${code}.enabled`] !== undefined,
        ...(threshold !== undefined && { threshold: isInCents(code) ? centsIn(threshold) : Number(threshold) }),
      };
      return [code, { ...data[code], ...set }];
    });
    // A request replaces all codes, and another person may have changed others since the form was opened.
    const present = await client("getInsightSettings", {});
    return client("setInsightSettings", { body: { ...present, ...changedIn(Object.fromEntries(entries), data) } });
  };
  return (
    <SettingsForm subject="insights" draft={draftOf("insights", data)} store={store} reload={reload}>
      <StackTable
        style="form-rows"
        caption="The gravest first. A change applies from the next computation on, which judges the newest 90 days again."
        columns={columns}
        rows={codes}
      />
    </SettingsForm>
  );
}

interface ComparisonProps extends SettingsProps<Output<"getReconciliationSettings">> {
  crbId: string;
}

/** How deposits of a business are compared with its sales. */
function Comparison({ crbId, data, reload }: ComparisonProps) {
  const { client } = useSession();
  const store = (fields: Record<string, string>) => {
    const settings = {
      since: fields.since || null,
      never_cash: unclearPaymentTypes.filter((means) => fields[means] !== undefined),
      tolerance_amount: centsIn(fields.amount),
      tolerance_percent: Number(fields.percent),
      max_days_without_deposit: Number(fields.days),
    };
    const never_cash = unclearPaymentTypes.filter((means) => data.never_cash.includes(means));
    const body = changedIn(settings, { ...data, never_cash });
    return client("setReconciliationSettings", { path: { crb_id: crbId }, body });
  };
  const whole = { type: "number", min: 0, step: 1, required: true } as const;
  const fields = [
    ["since", "First compared day (empty: the first complete one)", data.since ?? "", { type: "date" }],
    ["amount", "Tolerance in US dollars", (data.tolerance_amount / 100).toFixed(2), { ...whole, step: 0.01 }],
    [
      "percent",
      "Tolerance in % of the cash sold since the count; the greater one holds",
      data.tolerance_percent,
      { ...whole, max: "100" },
    ],
    [
      "days",
      "Days that cash may stay at the business",
      data.max_days_without_deposit,
      { ...whole, min: 1, max: "365" },
    ],
  ] as const;
  return (
    <SettingsForm subject="the comparison" draft={draftOf(crbId, data)} store={store} reload={reload}>
      {fields.map(([name, label, value, attributes]) => (
        <Field key={name} name={name} label={label} defaultValue={String(value)} {...attributes} />
      ))}
      <fieldset>
        <legend>Payments that are certainly no cash, as the business confirmed</legend>
        {unclearPaymentTypes.map((means) => (
          <label key={means} class="choice">
            <input type="checkbox" name={means} defaultChecked={data.never_cash.includes(means)} />
            <span>{unclearPayment(means)}</span>
          </label>
        ))}
      </fieldset>
    </SettingsForm>
  );
}
