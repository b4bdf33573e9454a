import { useState } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Confirmation } from "../../browser/confirmation.tsx";
import { useSession } from "./session.tsx";
import { focusHeading } from "./stepHeading.tsx";
import { useAction } from "./useAction.ts";

/** Withdraws the consent after the visitor confirms it. */
export function Withdraw() {
  const { onboarding, call, show, announce } = useSession();
  const { isBusy, problem, run } = useAction();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const what = onboarding.consent ? "Withdraw consent" : "Disconnect the point of sale";

  const act = () =>
    run(async () => {
      const after = await call<Onboarding>("DELETE", "onboarding/consent");
      close();
      announce("The consent is withdrawn, and the point of sale is disconnected.");
      show(after);
      focusHeading();
    });

  return (
    <section class="withdraw">
      <h3>Changed your mind?</h3>
      <p>You can withdraw at any time, without a reason.</p>
      <button type="button" onClick={() => setOpen(true)}>
        {what} …
      </button>
      {isOpen && (
        <Confirmation title={`${what}?`} action={what} busyLabel="Withdrawing …" {...{ isBusy, problem, act, close }}>
          <ul>
            <li>The stored credentials are erased at once, and nothing more is read.</li>
            <li>{onboarding.service_provider.name} can still read the existing copy, as the terms say.</li>
            <li>Everyone invited for {onboarding.business.name} gets a mail.</li>
          </ul>
        </Confirmation>
      )}
    </section>
  );
}
