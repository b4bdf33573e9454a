import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "./failures.ts";
import { ActionButton, Notice } from "./parts.tsx";
import { useSession } from "./session.tsx";
import { StepHeading } from "./stepHeading.tsx";
import { isPresent } from "./steps.ts";
import { useAction } from "./useAction.ts";
import { goTo } from "./useStep.ts";
import { Withdraw } from "./withdraw.tsx";
import { day } from "./words.ts";

/** The data that the service reads, its recipients, and the consent form. */
export function ConsentStep() {
  const { onboarding, call, show, refresh } = useSession();
  const { isBusy, problem, run } = useAction();
  const { business, service_provider, terms, consent, pos } = onboarding;
  const isGiven = isPresent(onboarding);
  const isConnected = pos !== null && pos.status !== "Not Connected";

  const give = () =>
    run(
      async () => {
        show(await call<Onboarding>("PUT", "onboarding/consent", { terms_version: terms.version }));
        goTo("pos");
      },
      async (failure) => {
        if (!(failure instanceof Rejection && failure.status === 409)) return undefined;
        await refresh();
        return "The terms have changed just now. Please read them again.";
      },
    );

  const sections = terms.sections.map(({ title, text }) => (
    <section key={title}>
      <h3>{title}</h3>
      <p>{text}</p>
    </section>
  ));

  return (
    <>
      <StepHeading>What is read, and your consent</StepHeading>
      {consent && isGiven && (
        <>
          <Notice kind="good">
            <p>
              {consent.given_by || "Somebody who was invited"} gave consent on {day(consent.date)}.
            </p>
          </Notice>
          <p class="actions">
            <a class="button" href="#pos">
              Go on
            </a>
          </p>
        </>
      )}
      {consent && !isGiven && (
        <Notice kind="note">
          <p>
            The terms have changed since consent was given on {day(consent.date)}. That consent stays good for what its
            terms said. Please read the new ones, and decide whether you consent to them, too.
          </p>
        </Notice>
      )}
      {!consent && isConnected && (
        <Notice kind="note">
          <p>
            {service_provider.name} has brought the credentials of your point of sale, so its records are read already.
            Here you see what is read. You may consent to it, or disconnect the point of sale.
          </p>
        </Notice>
      )}
      {isGiven ? (
        <details>
          <summary>Read the terms again</summary>
          <div class="terms">{sections}</div>
        </details>
      ) : (
        <>
          <p class="lead">
            {service_provider.name} asks to read the records of {business.name}. Please read what that means before you
            decide.
          </p>
          <div class="terms">{sections}</div>
          <p>By giving consent you confirm that you may decide this for {business.name}.</p>
          {problem && <Notice kind="problem">{problem}</Notice>}
          <p class="actions">
            <ActionButton type="button" isBusy={isBusy} busyWords="Giving consent …" onClick={give}>
              Give consent
            </ActionButton>
          </p>
        </>
      )}
      {(consent || isConnected) && <Withdraw />}
    </>
  );
}
