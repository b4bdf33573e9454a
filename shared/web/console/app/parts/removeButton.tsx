import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Confirmation } from "../../../browser/confirmation.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { useSession } from "../session.tsx";

interface RemoveButtonProps {
  /** The thing in the words of the question, such as `the link of CO-R-10000`. */
  subject: string;
  /** The words of the button. */
  words?: string;
  kind?: "danger" | "link";
  remove(): Promise<unknown>;
  /** Reads the lists that had the thing. */
  removed(): void;
  /** What follows from the removal. */
  children: ComponentChildren;
}

/** A button that removes something after a confirmation. */
export function RemoveButton({ subject, words = "Remove", kind = "link", ...rest }: RemoveButtonProps) {
  const { remove, removed, children } = rest;
  const { explain, announce } = useSession();
  const { isBusy, problem, run } = useAction(explain);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const act = () =>
    run(async () => {
      await remove();
      announce(`Removed: ${subject}.`);
      close();
      removed();
    });
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {words} …<span class="unseen">: {subject}</span>
      </button>
      {isOpen && (
        <Confirmation
          title={`Remove ${subject}?`}
          action={words}
          busyLabel="Removing …"
          {...{ isBusy, problem, act, close }}
        >
          {children}
        </Confirmation>
      )}
    </>
  );
}
