import { useRef } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { ActionButton, Notice } from "../../browser/parts.tsx";
import { useSession } from "./session.tsx";
import { focusHeading } from "./stepHeading.tsx";
import { useAction } from "./useAction.ts";

/** Withdraws the consent after the visitor confirms it. */
export function Withdraw() {
  const { onboarding, call, show, announce } = useSession();
  const { isBusy, problem, run } = useAction();
  const question = useRef<HTMLDialogElement>(null);
  const what = onboarding.consent ? "Withdraw consent" : "Disconnect the point of sale";

  const withdraw = () =>
    run(async () => {
      const after = await call<Onboarding>("DELETE", "onboarding/consent");
      question.current?.close();
      announce("The consent is withdrawn, and the point of sale is disconnected.");
      show(after);
      focusHeading();
    });

  return (
    <section class="withdraw">
      <h3>Changed your mind?</h3>
      <p>You can withdraw at any time, without a reason.</p>
      <button type="button" class="secondary" onClick={() => question.current?.showModal()}>
        {what} …
      </button>
      <dialog ref={question} class="question" aria-labelledby="withdraw-question">
        <h3 id="withdraw-question">{what}?</h3>
        <ul>
          <li>The credentials of the point of sale are erased at once, and nothing more is read.</li>
          <li>{onboarding.service_provider.name} can still read the existing copy, as the terms say.</li>
          <li>Everyone invited for {onboarding.business.name} gets a mail.</li>
        </ul>
        {problem && <Notice kind="problem">{problem}</Notice>}
        <p class="actions">
          <ActionButton type="button" kind="danger" isBusy={isBusy} busyLabel="Withdrawing …" onClick={withdraw}>
            {what}
          </ActionButton>
          <button type="button" class="secondary" onClick={() => question.current?.close()}>
            Cancel
          </button>
        </p>
      </dialog>
    </section>
  );
}
