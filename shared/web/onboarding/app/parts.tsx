import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Something to be noticed; a problem is told at once to those who hear the page. */
export function Notice({ kind, children }: { kind: "problem" | "note" | "good"; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`} role={kind === "problem" ? "alert" : undefined}>
      {children}
    </div>
  );
}

interface FieldProps {
  id: string;
  label: string;
  type: "text" | "password" | "email";
  /** What a browser may fill in by itself. */
  autocomplete: "off" | "email";
  isNumber?: boolean;
  value: string;
  changed(value: string): void;
  problem?: string | undefined;
  /** Where else it is said what is wrong with it and others together: the id of that. */
  rejectedBy?: string | undefined;
}

/** One line to type in, with its label, and beside it what is wrong. */
export function Field({ id, label, type, autocomplete, isNumber, value, changed, problem, rejectedBy }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        // The types of Preact know inputs by one type each.
        type={type as "text"}
        autocomplete={autocomplete}
        inputMode={isNumber ? "numeric" : undefined}
        autocapitalize="none"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => changed(currentTarget.value)}
        aria-invalid={problem || rejectedBy ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : rejectedBy}
      />
      <Problem id={`${id}-problem`}>{problem}</Problem>
    </div>
  );
}

/** What is wrong, beside what it is about. */
export function Problem({ id, children }: { id: string; children: ComponentChildren }) {
  return children ? (
    <p class="problem-words" id={id}>
      {children}
    </p>
  ) : null;
}

/** A button that does one thing at a time: pressed again while it is busy, it does nothing. */
export function ActionButton({
  isBusy,
  busyWords,
  children,
  kind = "primary",
  ...button
}: JSX.IntrinsicElements["button"] & {
  isBusy: boolean;
  busyWords: string;
  kind?: "primary" | "secondary" | "danger";
}) {
  return (
    <button type="submit" {...button} class={kind} aria-disabled={isBusy || undefined}>
      {isBusy ? busyWords : children}
    </button>
  );
}

/** Takes the focus to what is wrong in a form, whenever that has changed. */
export function useFocusOnProblem(problems: unknown) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problems) form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-first]")?.focus();
  }, [problems]);
  return form;
}
