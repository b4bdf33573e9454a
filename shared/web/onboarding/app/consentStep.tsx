import { useRef } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "../../browser/failures.ts";
import { formatDay } from "../../browser/formatDay.ts";
import { ActionButton, Notice } from "../../browser/parts.tsx";
import { useSession } from "./session.tsx";
import { StepHeading } from "./stepHeading.tsx";
import { isPresent } from "./steps.ts";
import { TermsText } from "./termsText.tsx";
import { useAction } from "./useAction.ts";
import { goTo } from "./useStep.ts";
import { Withdraw } from "./withdraw.tsx";

const changedTerms = "The terms have just changed. Please read the new terms.";

/** The terms and the consent to them. */
export function ConsentStep() {
  const { onboarding, call, show, refresh } = useSession();
  const { isBusy, problem, run } = useAction();
  const { business, service_provider, terms, consent, pos } = onboarding;
  const isGiven = isPresent(onboarding);
  // The page reloads the onboarding when the visitor returns to it, so the terms can change while the visitor reads them.
  const firstVersion = useRef(terms.version).current;
  const shownProblem = problem ?? (terms.version === firstVersion ? undefined : changedTerms);
  const isConnected = pos !== null && pos.status !== "Not Connected";

  const give = () =>
    run(
      async () => {
        show(await call<Onboarding>("PUT", "onboarding/consent", { terms_version: terms.version }));
        goTo("pos");
      },
      async (failure) => {
        if (!(failure instanceof Rejection && failure.code === "terms_changed")) return undefined;
        await refresh();
        return changedTerms;
      },
    );

  return (
    <>
      <StepHeading>The terms and your consent</StepHeading>
      {consent && isGiven && (
        <>
          <Notice kind="good">
            <p>
              {consent.given_by || "An invited person"} gave consent on {formatDay(consent.date)}.
            </p>
          </Notice>
          <p class="bar">
            <a class="button primary" href="#pos">
              Continue
            </a>
          </p>
        </>
      )}
      {consent && !isGiven && (
        <Notice kind="note">
          <p>
            The terms have changed since consent was given on {formatDay(consent.date)}. That consent stays valid for
            the earlier terms. Please read the new terms, and decide whether you consent to them.
          </p>
        </Notice>
      )}
      {!consent && isConnected && (
        <Notice kind="note">
          <p>
            {service_provider.name} has entered the credentials of your point of sale, so its records are already being
            read. Please read the terms. You can give consent, or disconnect the point of sale.
          </p>
        </Notice>
      )}
      {isGiven ? (
        <details>
          <summary>Read the terms again</summary>
          <TermsText sections={terms.sections} />
        </details>
      ) : (
        <>
          <p class="lead">
            {service_provider.name} wants to read the records of {business.name}. Please read the terms before you
            decide.
          </p>
          <TermsText sections={terms.sections} />
          <p>By giving consent, you confirm that you are entitled to decide this for {business.name}.</p>
          {shownProblem && <Notice kind="problem">{shownProblem}</Notice>}
          <p class="bar">
            <ActionButton type="button" isBusy={isBusy} busyLabel="Giving consent …" onClick={give}>
              Give consent
            </ActionButton>
          </p>
        </>
      )}
      {(consent || isConnected) && <Withdraw />}
    </>
  );
}
