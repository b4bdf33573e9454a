import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

/** A notice. Screen readers announce a problem at once. */
export function Notice({ kind, children }: { kind: "problem" | "note" | "good"; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`} role={kind === "problem" ? "alert" : undefined}>
      {children}
    </div>
  );
}

interface FieldProps {
  id?: string;
  label: string;
  type?: "text" | "password" | "email" | "search" | "date" | "number";
  name?: string;
  /** The values that the browser may fill in. */
  autocomplete?: "off" | "email" | "organization";
  isNumber?: boolean;
  maxLength?: number;
  /** The check of the browser before it sends a form. */
  required?: boolean;
  min?: string | number;
  max?: string;
  step?: number;
  pattern?: string;
  title?: string;
  defaultValue?: string;
  /** The value; without it, the field keeps its own. */
  value?: string;
  changed?(value: string): void;
  problem?: string | undefined;
  /** The id of an element with a problem that concerns several fields, including this one. */
  rejectedBy?: string | undefined;
}

/** A one-line input with its label and its problem. */
export function Field(props: FieldProps) {
  const ownId = useId();
  const {
    id = ownId,
    label,
    type = "text",
    autocomplete = "off",
    isNumber,
    changed,
    problem,
    rejectedBy,
    ...input
  } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        // Preact's types have one input type per element, not a union.
        type={type as "text"}
        autocomplete={autocomplete}
        inputMode={isNumber ? "numeric" : undefined}
        autocapitalize="none"
        spellcheck={false}
        {...input}
        onInput={changed && (({ currentTarget }) => changed(currentTarget.value))}
        aria-invalid={problem || rejectedBy ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : rejectedBy}
      />
      <Problem id={`${id}-problem`}>{problem}</Problem>
    </div>
  );
}

interface SelectProps {
  id?: string;
  name?: string;
  /** The label where the field has no visible one. */
  "aria-label"?: string;
  /** The chosen value; without it, the field keeps its own, at first that of the first option. */
  value?: string;
  /** Values, or values with their words. */
  options: readonly (string | readonly [value: string, words: string])[];
  /** Whether the browser rejects an empty value. */
  required?: boolean;
  changed?(value: string): void;
}

/** A list to choose one value from. */
export function Select({ options, changed, ...select }: SelectProps) {
  return (
    <select {...select} onChange={changed && (({ currentTarget }) => changed(currentTarget.value))}>
      {options.map((option) => {
        const [value, words] = typeof option === "string" ? [option, option] : option;
        return (
          <option key={value} value={value}>
            {words}
          </option>
        );
      })}
    </select>
  );
}

/** A list to choose one value from, with its label. */
export function Choice({ label, ...select }: SelectProps & { label: string }) {
  const ownId = useId();
  const { id = ownId } = select;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Select {...select} id={id} />
    </div>
  );
}

/** The problem of one field or of several fields. */
export function Problem({ id, children }: { id: string; children: ComponentChildren }) {
  return children ? (
    <p class="problem-words" id={id}>
      {children}
    </p>
  ) : null;
}

/** A button that ignores clicks while it is busy. */
export function ActionButton({
  isBusy,
  busyLabel,
  children,
  kind = "primary",
  ...button
}: JSX.IntrinsicElements["button"] & {
  isBusy: boolean;
  busyLabel: string;
  kind?: "primary" | "secondary" | "danger";
}) {
  return (
    <button type="submit" {...button} class={kind} aria-disabled={isBusy || undefined}>
      {isBusy ? busyLabel : children}
    </button>
  );
}
