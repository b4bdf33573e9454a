import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ActionButton, Field, Notice, Problem } from "../../../browser/parts.tsx";
import { useForm } from "../../../browser/useForm.ts";
import type { OperationId } from "../operations.ts";
import { problemOfDays } from "../period.ts";
import { useSession } from "../session.tsx";
import { ApiLink, Section } from "./layout.tsx";

// The service makes statements and reports of days after the request. They are listed with their state.

/** Milliseconds between two readings of a list. */
const pollMs = 3_000;

/** Reads a list again while some of its items are being made, and announces when one is finished. */
export function usePolling(unfinished: number, reload: () => void, finished: string): void {
  const { announce } = useSession();
  const before = useRef(0);
  useEffect(() => {
    if (unfinished < before.current) announce(finished);
    before.current = unfinished;
    if (unfinished === 0) return undefined;
    const timer = setInterval(reload, pollMs);
    return () => clearInterval(timer);
  }, [unfinished, reload, announce, finished]);
}

/** The first and the last day of a period, yyyy-MM-dd. */
interface Days {
  start_date: string;
  end_date: string;
}

interface DaysFormProps {
  /** Such as `statement`. */
  name: string;
  operation: OperationId;
  days: Days;
  changed(days: Days): void;
  before?: ComponentChildren;
  after?: ComponentChildren;
  hint: string;
  make(): Promise<void>;
}

/** The form that requests something about days, with other fields before and after the days. */
export function DaysForm({ name, operation, days, changed, before, after, hint, make }: DaysFormProps) {
  const { explain, announce } = useSession();
  const { form, problems, problem, isBusy } = useForm({
    explain,
    check: () => problemOfDays(days.start_date, days.end_date),
    async send() {
      await make();
      announce(`The ${name} is being made.`);
    },
  });
  const field = (id: keyof Days, label: string) => (
    <Field
      id={id}
      label={label}
      type="date"
      value={days[id]}
      changed={(day) => changed({ ...days, [id]: day })}
      rejectedBy={problems && "days-problem"}
    />
  );
  return (
    <Section title={`Make a ${name}`} operation={operation}>
      <form class="panel pad" {...form}>
        <div class="bar">
          {before}
          {field("start_date", "First day")}
          {field("end_date", "Last day")}
          {after}
          <ActionButton isBusy={isBusy} busyLabel="Requesting …">
            Make the {name}
          </ActionButton>
        </div>
        <Problem id="days-problem">{problems}</Problem>
        <p class="hint">{hint}</p>
        {problem && <Notice kind="problem">{problem}</Notice>}
      </form>
    </Section>
  );
}

/** A part that is read when it is wanted, because its links are valid for a short time. */
export function OnDemand({ words, children }: { words: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <>{children}</>;
  return (
    <button type="button" class="link" onClick={() => setOpen(true)}>
      {words}
    </button>
  );
}

/** The size of a file. */
export const sizeOf = (bytes: number): string => `(${Math.ceil(bytes / 1_000).toLocaleString()} KB)`;

/** The link to a file in a new tab; only its words without a link. */
export function FileLink({ link, children }: { link: string | null; children: ComponentChildren }) {
  if (!link) return <>{children}</>;
  return (
    <a href={link} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** How long links are valid. */
export function Validity({ children, operation }: { children: string; operation: OperationId }) {
  return (
    <span class="under">
      {children} <ApiLink operation={operation} />
    </span>
  );
}
