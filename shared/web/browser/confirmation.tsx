import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { ActionButton, Notice } from "./parts.tsx";

interface DialogProps {
  title: string;
  /** The words of the button that closes it. */
  closing: string;
  close(): void;
  children: ComponentChildren;
  /** The button that acts. */
  action?: ComponentChildren;
}

/** A part above the page. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, closing, close, children, action }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Only a dialog that closes returns the focus; one that is removed does not.
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <h2 id={id}>{title}</h2>
      {children}
      <div class="bar">
        {action}
        <button type="button" onClick={() => dialog.current?.close()}>
          {closing}
        </button>
      </div>
    </dialog>
  );
}

interface ConfirmationProps extends Pick<DialogProps, "title" | "close" | "children"> {
  /** The words of the button that acts. */
  action: string;
  busyLabel: string;
  isBusy: boolean;
  problem: string | undefined;
  act(): void;
}

/** Asks before an action that cannot be undone unnoticed. */
export function Confirmation({ action, busyLabel, isBusy, problem, act, children, ...dialog }: ConfirmationProps) {
  const button = (
    <ActionButton type="button" kind="danger" isBusy={isBusy} busyLabel={busyLabel} onClick={act}>
      {action}
    </ActionButton>
  );
  return (
    <Dialog {...dialog} closing="Cancel" action={button}>
      {children}
      {problem && <Notice kind="problem">{problem}</Notice>}
    </Dialog>
  );
}
