import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Form, Permitted } from "./form.tsx";

interface DecisionProps<Value> {
  /** The task that viewers may not do. */
  task: string;
  /** The reason why the item takes no decision. */
  closed?: string | undefined;
  /** Names the draft, such as `insight:ID`. */
  draft: string;
  /** The decisions, each with a hint. */
  options: readonly (readonly [value: Value, title: string, hint: string])[];
  noteLabel: string;
  noteHint: ComponentChildren;
  /** The decision that needs no note. */
  withoutNote?: Value;
  hasNext: boolean;
  /** What follows from the decision. */
  after: string;
  /** Saves the decision, and opens the next item if that is wanted. */
  save(decision: Value, note: string, opensNext: boolean): Promise<void>;
  /** Reads the present state. */
  reload(): void;
}

const [andNext, alone] = ["Save and open the next", "Save"];

/** The decision on an item, with a note. No decision is chosen at first. */
export function Decision<Value extends string>(props: DecisionProps<Value>) {
  const { task, closed, draft, options, noteLabel, noteHint, withoutNote, hasNext, after, save, reload } = props;
  const id = useId();
  return (
    <div class="decide pad">
      <h3>Your decision</h3>
      {closed ? (
        <p>{closed}</p>
      ) : (
        <Permitted task={task}>
          <Form
            draft={draft}
            buttons={hasNext ? [andNext, alone] : [alone]}
            busyLabel="Saving …"
            changed={({ elements }) => {
              const [decision, note] = [elements.namedItem("decision"), elements.namedItem("note")];
              if (decision instanceof RadioNodeList && note instanceof HTMLTextAreaElement)
                note.required = decision.value !== withoutNote;
            }}
            send={({ decision, note = "" }, button) => save(decision as Value, note.trim(), button === andNext)}
            reload={reload}
          >
            <fieldset>
              <legend class="unseen">Decision</legend>
              {options.map(([value, title, hint]) => (
                <label key={value} class="choice">
                  <input type="radio" name="decision" value={value} required />
                  <span>
                    <strong>{title}</strong>
                    <span class="hint">{hint}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <div class="field">
              <label for={id}>{noteLabel}</label>
              <p class="hint" id={`${id}-hint`}>
                {noteHint}
              </p>
              <textarea id={id} name="note" rows={4} required maxLength={500} aria-describedby={`${id}-hint`} />
            </div>
          </Form>
          <p class="hint">{after} What you type stays in this tab until you save it or sign out.</p>
        </Permitted>
      )}
    </div>
  );
}
