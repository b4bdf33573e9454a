import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Rejection } from "../../../browser/failures.ts";
import { ActionButton, Notice } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { useSession } from "../session.tsx";
import { drafts } from "../storage.ts";

interface FormProps {
  /** Names the draft, such as `insight:ID`: the fields survive another sign-in. */
  draft: string;
  /** The words of the buttons; the first one is sent by Enter. */
  buttons: readonly [string, ...string[]];
  busyLabel: string;
  kind?: "primary" | "secondary";
  class?: string;
  /** Whether the fields stay after they are sent. */
  isKept?: boolean;
  /** Adjusts fields that depend on others. */
  changed?(form: HTMLFormElement): void;
  /** Sends the fields by their names. @param button the words of the button */
  send(fields: Record<string, string>, button: string): Promise<void>;
  /** Reads the present state, which another person has changed. */
  reload?(): void;
  children: ComponentChildren;
}

/** A form whose fields the browser checks. The typed text survives failures and another sign-in, but no sign-out. */
export function Form(props: FormProps) {
  const { draft, buttons, busyLabel, kind = "primary", class: style, isKept, changed, send, reload, children } = props;
  const { explain } = useSession();
  const { isBusy, problem, run } = useAction(explain);
  const [isConflict, setConflict] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const kept = drafts.read<Record<string, string> | undefined>(draft, undefined);
    if (kept) for (const field of form.current?.elements ?? []) fill(field, kept);
    if (form.current) changed?.(form.current);
  }, [draft]);

  const keep = ({ currentTarget }: { currentTarget: HTMLFormElement }) => {
    drafts.write(draft, fieldsOf(currentTarget));
    changed?.(currentTarget);
  };
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const { currentTarget: sent, submitter } = event;
    void run(
      async () => {
        setConflict(false);
        await send(fieldsOf(sent), submitter?.textContent ?? buttons[0]);
        if (isKept) return;
        drafts.remove(draft);
        sent.reset();
      },
      async (failure) => {
        setConflict(failure instanceof Rejection && failure.status === 409);
        return undefined;
      },
    );
  };
  return (
    <form ref={form} class={style} onInput={keep} onSubmit={submit}>
      {children}
      {problem && (
        <Notice kind="problem">
          <p>{problem}</p>
          {isConflict && reload && (
            <button type="button" onClick={reload}>
              Load again
            </button>
          )}
        </Notice>
      )}
      <div class="bar">
        {buttons.map((words, index) => (
          <ActionButton key={words} kind={index > 0 ? "secondary" : kind} isBusy={isBusy} busyLabel={busyLabel}>
            {words}
          </ActionButton>
        ))}
      </div>
    </form>
  );
}

/** Fills a field with its kept value. Boxes that are not checked have none. */
function fill(field: Element, kept: Readonly<Record<string, string>>): void {
  const { type, name, value } = field as HTMLInputElement;
  if (type === "checkbox" || type === "radio") (field as HTMLInputElement).checked = kept[name] === value;
  else if (kept[name] !== undefined) (field as HTMLInputElement).value = kept[name];
}

const fieldsOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

interface ActButtonProps {
  kind?: "link" | "secondary";
  isDone?: boolean;
  act(): Promise<void>;
  children: ComponentChildren;
}

/** A button that acts at once, and shows its problem. It stays when its task is done, so that it keeps the focus. */
export function ActButton({ kind = "link", isDone = false, act, children }: ActButtonProps) {
  const { explain } = useSession();
  const { isBusy, problem, run } = useAction(explain);
  return (
    <>
      <button
        type="button"
        class={kind}
        aria-disabled={isBusy || isDone || undefined}
        onClick={() => !isDone && run(act)}
      >
        {children}
      </button>
      {problem && (
        <span class="problem-words" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

/** A part for reviewers and administrators; for viewers the reason why it is not there. @param task what viewers cannot do */
export function Permitted({ task, children }: { task: string; children: ComponentChildren }) {
  const { person } = useSession();
  if (person.role !== "viewer") return children;
  return (
    <p>
      You can read everything here. Your role, viewer, cannot {task}; reviewers and administrators can. The person who
      manages your bank’s accounts can change your role.
    </p>
  );
}
