import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Notice } from "../../../browser/parts.tsx";
import { useHeading } from "../../../browser/useHeading.ts";
import { formatTime } from "../formatTime.ts";
import { type OperationId, operationAnchor } from "../operations.ts";
import { useSession } from "../session.tsx";
import type { Read } from "../useRead.ts";

/** The link to the operation of the API that returns a figure. */
export function ApiLink({ operation }: { operation: OperationId }) {
  const { api } = useSession();
  return (
    <a
      class="api"
      href={`${api}docs${operationAnchor(operation)}`}
      target="_blank"
      rel="noreferrer"
      title={operation}
      aria-label={`API: ${operation}, in a new tab`}
    >
      API
    </a>
  );
}

/** The number of what waits at a link; nothing without it. */
export function Count({ of }: { of: number | undefined }) {
  if (!of) return null;
  return (
    <span class="count">
      {of.toLocaleString()}
      <span class="unseen"> open</span>
    </span>
  );
}

interface HeadProps {
  title: string;
  /** The part of the subject that the screen shows, for the title of the tab. */
  about?: string;
  /** The answer of the screen, in plain words. */
  lead?: ComponentChildren;
  /** When the figures were read, in epoch milliseconds. */
  readAt?: number | undefined;
}

/** The head of a screen. Its heading takes the focus when the person comes from another screen. */
export function Head({ title, about, lead, readAt }: HeadProps) {
  const { institution } = useSession();
  const heading = useHeading([title, about, institution.name].filter(Boolean).join(" · "));
  return (
    <div class="head">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p>{lead}</p>}
      </div>
      {readAt !== undefined && <p class="asof">As of {formatTime(readAt)}</p>}
    </div>
  );
}

interface SectionProps {
  title: string;
  operation?: OperationId;
  /** Fields or words next to the title. */
  side?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

/** A part of a screen with its title. */
export function Section({ title, operation, side, children, class: style }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} class={style}>
      <div class="section-head">
        <h2 id={id}>
          {title} {operation && <ApiLink operation={operation} />}
        </h2>
        {side}
      </div>
      {children}
    </section>
  );
}

/** A part without data, with the reason and the next step. Empty never means that something was not loaded. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="panel empty">
      <h2>{title}</h2>
      <p>{children}</p>
    </section>
  );
}

interface LoadedProps<Data> {
  of: Read<Data>;
  /** The part of the screen, such as `The list of businesses`. */
  name: string;
  children(data: Data): ComponentChildren;
}

/** A part of a screen: its data, or the problem with a way to try again. Other parts of the screen stay usable. */
export function Loaded<Data>({ of: { data, problem, isLoading, reload }, name, children }: LoadedProps<Data>) {
  return (
    <div aria-busy={isLoading}>
      {problem && (
        <Notice kind="problem">
          <h2>{name} could not be loaded</h2>
          <p>{problem}</p>
          <button type="button" onClick={reload} aria-disabled={isLoading || undefined}>
            {isLoading ? "Loading …" : "Try again"}
          </button>
        </Notice>
      )}
      {data === undefined ? isLoading && !problem && <p class="faint">Loading …</p> : children(data)}
    </div>
  );
}

/**
 * A figure with its day or period in the label, what it includes and whether it is complete, and its operation. The value can
 * be a range such as `$2,842 to $3,129`.
 */
export type Figure = readonly [label: string, value: string, completeness: string, operation: OperationId];

/** A row of at most four figures. */
export function Figures({ of }: { of: readonly Figure[] }) {
  return (
    <dl class="figures">
      {of.map(([label, value, completeness, operation]) => (
        <div key={label}>
          <dt>
            {label} <ApiLink operation={operation} />
          </dt>
          <dd>{value}</dd>
          <dd>{completeness}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Labels and values; those without a value are left out. */
export function Pairs({ of }: { of: readonly (readonly [label: string, value: ComponentChildren])[] }) {
  return (
    <dl class="pairs">
      {of.map(
        ([label, value]) =>
          value && (
            <>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </>
          ),
      )}
    </dl>
  );
}
