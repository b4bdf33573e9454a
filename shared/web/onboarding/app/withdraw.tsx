import { useRef } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { ActionButton, Notice } from "./parts.tsx";
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
      announce("Consent is withdrawn, and the point of sale is disconnected.");
      show(after);
      focusHeading();
    });

  return (
    <section class="withdraw">
      <h3>Changed your mind?</h3>
      <p>You can end this at any time, without a reason.</p>
      <button type="button" class="secondary" onClick={() => question.current?.showModal()}>
        {what} …
      </button>
      <dialog ref={question} class="question" aria-labelledby="withdraw-question">
        <h3 id="withdraw-question">{what}?</h3>
        <ul>
          <li>The credentials of the point of sale are erased at once, and nothing more is read.</li>
          <li>
            What was copied before stays readable for {onboarding.service_provider.name} as long as the terms say.
          </li>
          <li>All who were invited for {onboarding.business.name} are told by mail.</li>
        </ul>
        {problem && <Notice kind="problem">{problem}</Notice>}
        <p class="actions">
          <ActionButton type="button" kind="danger" isBusy={isBusy} busyWords="Withdrawing …" onClick={withdraw}>
            {what}
          </ActionButton>
          <button type="button" class="secondary" onClick={() => question.current?.close()}>
            Keep it as it is
          </button>
        </p>
      </dialog>
    </section>
  );
}
