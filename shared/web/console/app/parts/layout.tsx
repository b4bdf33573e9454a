import { type ComponentChildren, Fragment } from "preact";
import { useId } from "preact/hooks";
import { Notice } from "../../../browser/parts.tsx";
import { useHeading } from "../../../browser/useHeading.ts";
import { formatTime } from "../format.ts";
import { type Input, type OperationId, type Output, operationAnchor } from "../operations.ts";
import { type Read, useRead, useSession } from "../session.tsx";

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

export interface HeadProps {
  title: string;
  /** The part of the subject that the screen shows, for the title of the tab. */
  about?: string | undefined;
  /** The answer of the screen, in plain words. */
  lead?: ComponentChildren;
  /** When the figures were right: epoch milliseconds, or ISO 8601. */
  readAt?: number | string | undefined;
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
  /** The words for a list without items, as the reason and the next step. */
  empty?: readonly [title: string, words: ComponentChildren];
  children(data: Data): ComponentChildren;
}

/** A part of a screen: its data, or the problem with a way to try again. Other parts of the screen stay usable. */
export function Loaded<Data extends object>({ of, name, empty, children }: LoadedProps<Data>) {
  const { data, problem, isLoading, reload } = of;
  function content() {
    if (data === undefined) return isLoading && !problem && <p class="faint">Loading …</p>;
    const isEmpty = "data" in data && Array.isArray(data.data) && data.data.length === 0;
    return empty && isEmpty ? <Empty title={empty[0]}>{empty[1]}</Empty> : children(data);
  }
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
      {content()}
    </div>
  );
}

interface ReadingProps<Id extends OperationId> extends Omit<LoadedProps<Output<Id>>, "of" | "children"> {
  of: Id;
  input: Input<Id>;
  children(data: Output<Id> & object, reload: () => void): ComponentChildren;
}

/** A part of a screen that reads its own data. */
export function Reading<Id extends OperationId>({ of, input, children, ...rest }: ReadingProps<Id>) {
  const read = useRead(of, input) as Read<Output<Id> & object>;
  return (
    <Loaded of={read} {...rest}>
      {(data) => children(data, read.reload)}
    </Loaded>
  );
}

interface FiguresProps {
  operation: OperationId;
  /** At most four. The label has the day or period; the value can be a range such as `$2,842 to $3,129`. */
  of: readonly (readonly [label: string, value: string, completeness: string, operation?: OperationId])[];
}

/** A row of figures, each with what it includes and whether it is complete. */
export function Figures({ of, operation }: FiguresProps) {
  return (
    <dl class="panel figures">
      {of.map(([label, value, completeness, own]) => (
        <div key={label}>
          <dt>
            {label} <ApiLink operation={own ?? operation} />
          </dt>
          <dd>{value}</dd>
          <dd>{completeness}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The links of a list of things, separated by commas. */
export function Links({ of }: { of: readonly (readonly [href: string, words: string])[] }) {
  return of.map(([href, words], index) => (
    <Fragment key={href}>
      {index > 0 && ", "}
      <a href={href}>{words}</a>
    </Fragment>
  ));
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

/** The head of the page. @param name the institution, or the operator before the sign-in */
export function Top({ name, children }: { name: string; children?: ComponentChildren }) {
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: the fragment of the address stays, because it names the screen */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <div class="frame">
          <a class="brand" href="#/">
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M10 1 1.5 6v1.5h17V6zM3 9h2.4v7H3zm5.8 0h2.4v7H8.8zm5.8 0H17v7h-2.4zM1.5 17h17v2h-17z" />
            </svg>
            {name}
          </a>
          {children}
        </div>
      </header>
    </>
  );
}

/** The foot of the page. */
export function Foot({ operator, privacy }: { operator: string; privacy: string }) {
  return (
    <footer class="foot">
      <div class="frame">
        <span>A service of {operator}</span>
        <span>No password of yours is entered on this page</span>
        <a href={privacy} target="_blank" rel="noreferrer">
          Privacy notice
        </a>
      </div>
    </footer>
  );
}
