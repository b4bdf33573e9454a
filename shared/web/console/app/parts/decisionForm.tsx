import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ActionButton, Notice, Problem, useFocusOnProblem } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { useDraft } from "../drafts.ts";
import { useSession } from "../session.tsx";
import { explainConflict } from "../texts.ts";

const maxNote = 500;

/** A decision that the person can make. */
interface Option<Value> {
  value: Value;
  title: string;
  hint: string;
}

interface Decision<Value> {
  choice: Value;
  note: string;
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
  save(decision: Decision<Value>, opensNext: boolean): Promise<void>;
  /** Reads the present state. */
  reload(): void;
}

/** The form of a decision with a note. No decision is chosen at first. Typed text survives failures and another sign-in. */
export function DecisionForm<Value extends string>(props: FormProps<Value>) {
  const { draft, options, noteLabel, noteHint, hasNote, hasNext, after, save, reload } = props;
  const { explain, announce } = useSession();
  const [{ choice, note }, set, clear] = useDraft<{ choice: Value | ""; note: string }>(draft, {
    ...{ choice: "", note: "" },
  });
  const [problems, setProblems] = useState<{ choice?: string; note?: string }>();
  const [isConflict, setConflict] = useState(false);
  const { isBusy, problem, run } = useAction(explain);
  const form = useFocusOnProblem(problems);
  const isNoted = hasNote(choice);
  const length = note.trim().length;

  function submit(opensNext: boolean) {
    if (choice === "" || (isNoted && (length === 0 || length > maxNote))) {
      return setProblems({
        ...(choice === "" && { choice: "Choose a decision." }),
        ...(isNoted && length === 0 && { note: "Write a note." }),
        ...(length > maxNote && { note: `The note has ${length - maxNote} characters too many.` }),
      });
    }
    setProblems(undefined);
    setConflict(false);
    return run(
      async () => {
        await save({ choice, note: note.trim() }, opensNext);
        clear();
        announce(`Saved: ${options.find(({ value }) => value === choice)?.title}.`);
      },
      async (failure) => {
        const conflict = explainConflict(failure);
        setConflict(conflict !== undefined);
        return conflict;
      },
    );
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(hasNext);
      }}
    >
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
          <button type="button" onClick={() => submit(false)}>
            Save
          </button>
        )}
      </div>
      <p class="hint">{after}</p>
    </form>
  );
}
