import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Field } from "../../../browser/parts.tsx";
import { addDays, lastMonth } from "../format.ts";
import type { Input, OperationId } from "../operations.ts";
import { useRead, useSession } from "../session.tsx";
import { Form } from "./form.tsx";
import { Section } from "./layout.tsx";

// The service makes statements and reports of days after the request. They are listed with their state.

/** Milliseconds from the result of a reading of a list to the next reading. */
const pollMs = 3_000;

/** Reads a list, and again while some of its items are being made. Announces when one is finished. */
export function useJobs<Id extends "listStatements" | "listAccessReports">(id: Id, input: Input<Id>, finished: string) {
  const { announce } = useSession();
  const before = useRef(0);
  const list = useRead(id, input);
  const { data, isLoading, reload } = list;
  const unfinished = data?.data.filter(({ status }) => status === "queued" || status === "running").length ?? 0;
  useEffect(() => {
    if (unfinished < before.current) announce(finished);
    before.current = unfinished;
    // Another reading would cancel the present one.
    if (unfinished === 0 || isLoading) return undefined;
    const timer = setTimeout(reload, pollMs);
    return () => clearTimeout(timer);
  }, [unfinished, isLoading, reload, announce, finished]);
  return list;
}

/** Days of a statement or report at most (docs/spec.md#limits). */
export const maxDays = 400;

interface DaysFormProps {
  /** Names the draft. */
  draft: string;
  button: string;
  busyLabel: string;
  /** Sends what the fields say: `start_date`, `end_date` (yyyy-MM-dd), and those of the children. */
  send(fields: Record<string, string>): Promise<void>;
  children?: ComponentChildren;
}

/** A form about at most 400 days, at first those of the last month. It keeps them for the next time. */
export function DaysForm({ children, button, ...form }: DaysFormProps) {
  const [first, last] = lastMonth(new Date());
  const [start, setStart] = useState(first);
  return (
    <Form
      class="panel pad bar"
      buttons={[button]}
      isKept
      changed={({ elements }) => {
        const field = elements.namedItem("start_date");
        if (field instanceof HTMLInputElement && field.value) setStart(field.value);
      }}
      {...form}
    >
      <Field name="start_date" label="First day" type="date" required defaultValue={first} />
      <Field
        name="end_date"
        label="Last day"
        type="date"
        required
        defaultValue={last}
        min={start}
        max={addDays(start, maxDays - 1)}
      />
      {children}
    </Form>
  );
}

interface JobFormProps extends Pick<DaysFormProps, "draft" | "children"> {
  /** Such as `statement`. */
  name: string;
  operation: OperationId;
  hint: string;
  /** Requests what the fields say. */
  make(fields: Record<string, string>): Promise<unknown>;
}

/** The form that requests a statement or report. */
export function JobForm({ name, operation, hint, make, ...form }: JobFormProps) {
  const { announce } = useSession();
  const send = async (fields: Record<string, string>) => {
    await make(fields);
    announce(`The ${name} is being made.`);
  };
  return (
    <Section title={`Make a ${name}`} operation={operation}>
      <p class="hint">{hint}</p>
      <DaysForm button={`Make the ${name}`} busyLabel="Requesting …" send={send} {...form} />
    </Section>
  );
}

/** A part that is read when it is wanted, because its links are valid for a short time. */
export function OnDemand({ words, children }: { words: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return children;
  return (
    <button type="button" class="link" onClick={() => setOpen(true)}>
      {words}
    </button>
  );
}

/** The size of a file. */
export const sizeOf = (bytes: number): string => `(${Math.ceil(bytes / 1_000).toLocaleString()} KB)`;
