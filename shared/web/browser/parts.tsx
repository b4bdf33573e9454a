import type { ComponentChildren, JSX } from "preact";

/** A notice. Screen readers announce a problem at once. */
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
  type?: "text" | "password" | "email" | "search" | "date";
  /** The values that the browser may fill in. */
  autocomplete?: "off" | "email" | "organization";
  isNumber?: boolean;
  maxLength?: number;
  value: string;
  changed(value: string): void;
  problem?: string | undefined;
  /** The id of an element with a problem that concerns several fields, including this one. */
  rejectedBy?: string | undefined;
}

/** A one-line input with its label and its problem. */
export function Field(props: FieldProps) {
  const { id, label, type = "text", autocomplete = "off", isNumber, maxLength, value, changed } = props;
  const { problem, rejectedBy } = props;
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
        maxLength={maxLength}
        value={value}
        onInput={({ currentTarget }) => changed(currentTarget.value)}
        aria-invalid={problem || rejectedBy ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : rejectedBy}
      />
      <Problem id={`${id}-problem`}>{problem}</Problem>
    </div>
  );
}

interface SelectProps {
  id?: string;
  /** The label where the field has no visible one. */
  "aria-label"?: string;
  value: string;
  /** Values, or values with their words. */
  options: readonly (string | readonly [value: string, words: string])[];
  changed(value: string): void;
}

/** A list to choose one value from. */
export function Select({ options, changed, ...select }: SelectProps) {
  return (
    <select {...select} onChange={({ currentTarget }) => changed(currentTarget.value)}>
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
export function Choice({ id, label, ...select }: SelectProps & { id: string; label: string }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Select id={id} {...select} />
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
