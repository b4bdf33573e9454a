import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ActionButton, Notice } from "./parts.tsx";

interface ConfirmationProps {
  title: string;
  /** The words of the button that acts. */
  action: string;
  busyLabel: string;
  isBusy: boolean;
  problem: string | undefined;
  act(): void;
  close(): void;
  /** What follows from the action. */
  children: ComponentChildren;
}

/** Asks before an action that cannot be undone unnoticed. Escape closes it, and the focus returns to where it was. */
export function Confirmation({ title, action, busyLabel, isBusy, problem, act, close, children }: ConfirmationProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Only a dialog that closes returns the focus; one that is removed does not.
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="confirmation" onClose={close}>
      <h2 id="confirmation">{title}</h2>
      {children}
      {problem && <Notice kind="problem">{problem}</Notice>}
      <div class="bar">
        <ActionButton type="button" kind="danger" isBusy={isBusy} busyLabel={busyLabel} onClick={act}>
          {action}
        </ActionButton>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
