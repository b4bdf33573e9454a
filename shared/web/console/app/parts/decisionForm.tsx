import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ActionButton, Notice, Problem } from "../../../browser/parts.tsx";
import { useForm } from "../../../browser/useForm.ts";
import { useDraft } from "../drafts.ts";
import { useSession } from "../session.tsx";
import { explainConflict, roleNames } from "../texts.ts";

const maxNote = 500;

/** A decision that the person can make. */
interface Option<Value> {
  value: Value;
  title: string;
  hint: string;
}

interface FormProps<Value> {
  /** Names the draft, such as `insight:ID`. */
  draft: string;
  options: readonly Option<Value>[];
  noteLabel: string;
  noteHint: ComponentChildren;
  /** Whether a decision has a note; it then needs one. */
  hasNote(choice: Value | ""): boolean;
  hasNext: boolean;
  /** What follows from the decision. */
  after: string;
  /** Saves the decision, and opens the next item if that is wanted. */
  save(decision: { choice: Value; note: string }, opensNext: boolean): Promise<void>;
  /** Reads the present state. */
  reload(): void;
}

interface DecisionProps<Value> extends FormProps<Value> {
  /** What viewers cannot do. */
  task: string;
  /** The reason why the item takes no decision. */
  closed?: string | undefined;
}

/** The decision on an item; for viewers and closed items the reason why there is none. */
export function Decision<Value extends string>({ task, closed, ...form }: DecisionProps<Value>) {
  const { person } = useSession();
  const refusal =
    closed ??
    (person.role === "viewer" &&
      `You can read everything here. Your role, ${roleNames.viewer.toLowerCase()}, cannot ${task}; reviewers and administrators can. The person who manages your bank’s accounts can change your role.`);
  return (
    <div class="decide">
      <h3>Your decision</h3>
      {refusal ? <p>{refusal}</p> : <DecisionForm {...form} />}
    </div>
  );
}

/** The form of a decision with a note. No decision is chosen at first. Typed text survives failures and another sign-in. */
function DecisionForm<Value extends string>(props: FormProps<Value>) {
  const { draft, options, noteLabel, noteHint, hasNote, hasNext, after, save, reload } = props;
  const { explain, announce } = useSession();
  const [{ choice, note }, set, clear] = useDraft<{ choice: Value | ""; note: string }>(draft, {
    ...{ choice: "", note: "" },
  });
  const [isConflict, setConflict] = useState(false);
  const isNoted = hasNote(choice);
  const length = note.trim().length;

  const sendWith = (opensNext: boolean) => async () => {
    setConflict(false);
    if (choice === "") return;
    await save({ choice, note: note.trim() }, opensNext);
    clear();
    announce(`Saved: ${options.find(({ value }) => value === choice)?.title}.`);
  };
  const { form, submit, problems, problem, isBusy } = useForm({
    explain,
    check() {
      const found: { choice?: string; note?: string } = {};
      if (choice === "") found.choice = "Choose a decision.";
      if (isNoted && length === 0) found.note = "Write a note.";
      if (isNoted && length > maxNote) found.note = `The note has ${length - maxNote} characters too many.`;
      return Object.keys(found).length > 0 ? found : undefined;
    },
    send: sendWith(hasNext),
    async handle(failure) {
      const conflict = explainConflict(failure);
      setConflict(conflict !== undefined);
      return conflict;
    },
  });

  return (
    <form {...form}>
      <fieldset aria-describedby={problems?.choice ? "choice-problem" : undefined}>
        <legend class="unseen">Decision</legend>
        {options.map(({ value, title, hint }, index) => (
          <label key={value} class="choice">
            <input
              type="radio"
              name="choice"
              value={value}
              checked={choice === value}
              data-first={problems?.choice && index === 0 ? "" : undefined}
              onChange={() => set({ choice: value, note })}
            />
            <span>
              <strong>{title}</strong>
              <span class="hint">{hint}</span>
            </span>
          </label>
        ))}
        <Problem id="choice-problem">{problems?.choice}</Problem>
      </fieldset>
      {isNoted && (
        <div class="field">
          <label for="note">{noteLabel}</label>
          <p class="hint" id="note-hint">
            {noteHint}
          </p>
          <textarea
            id="note"
            rows={4}
            value={note}
            aria-describedby={`note-hint note-count${problems?.note ? " note-problem" : ""}`}
            aria-invalid={problems?.note ? true : undefined}
            onInput={({ currentTarget }) => set({ choice, note: currentTarget.value })}
          />
          <p class="hint num" id="note-count">
            {length} of {maxNote} characters
          </p>
          <Problem id="note-problem">{problems?.note}</Problem>
        </div>
      )}
      {problem && (
        <Notice kind="problem">
          <p>{problem}</p>
          {isConflict && (
            <button type="button" onClick={reload}>
              Load again
            </button>
          )}
        </Notice>
      )}
      <div class="bar">
        <ActionButton isBusy={isBusy} busyLabel="Saving …">
          {hasNext ? "Save and open the next" : "Save"}
        </ActionButton>
        {hasNext && (
          <button type="button" onClick={() => submit(sendWith(false))}>
            Save
          </button>
        )}
      </div>
      <p class="hint">{after}</p>
    </form>
  );
}
