import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "./failures.ts";
import { ActionButton, Notice } from "./parts.tsx";
import { useSession } from "./session.tsx";
import { StepHeading } from "./stepHeading.tsx";
import { isSubmitted, wordsOfMissing } from "./steps.ts";
import { useAction } from "./useAction.ts";

/** Submits a complete onboarding, or lists the missing parts. After the submission it explains what happens next. */
export function SubmitStep() {
  const { onboarding } = useSession();
  return isSubmitted(onboarding) ? <Submitted /> : <ToSubmit />;
}

function ToSubmit() {
  const { onboarding, call, show, refresh, announce } = useSession();
  const { isBusy, problem, run } = useAction();
  const isMissing = onboarding.missing.length > 0;

  const submit = () =>
    run(
      async () => {
        show(await call<Onboarding>("POST", "onboarding/submit"));
        announce("Submitted.");
      },
      async (failure) => {
        if (!(failure instanceof Rejection && failure.status === 409)) return undefined;
        const now = await refresh();
        return now && now.missing.length === 0 ? "" : "Something is still missing: see above.";
      },
    );

  return (
    <>
      <StepHeading>Submit</StepHeading>
      {isMissing ? (
        <MissingList title="Before you submit, this is still missing:" />
      ) : (
        <Notice kind="good">
          <p>Everything is there.</p>
        </Notice>
      )}
      <p>
        When you submit, what you have entered is reviewed for {onboarding.service_provider.name}. You can still add
        documents, change credentials, and withdraw your consent afterwards.
      </p>
      {problem && <Notice kind="problem">{problem}</Notice>}
      <p class="actions">
        <ActionButton type="button" isBusy={isBusy} busyWords="Submitting …" onClick={submit}>
          Submit for review
        </ActionButton>
      </p>
    </>
  );
}

function Submitted() {
  const { onboarding, support } = useSession();
  const { status, service_provider: provider, business, missing } = onboarding;
  const isReviewed = status !== "svc_awaiting_review";
  return (
    <>
      <StepHeading>{isReviewed ? "You are set up" : "Submitted"}</StepHeading>
      <Notice kind="good">
        <p>
          {isReviewed
            ? `${business.name} is set up with ${provider.name}.`
            : `Thank you. What you have entered for ${business.name} is on its way to its review.`}
        </p>
      </Notice>
      {missing.length > 0 && <MissingList title="This has gone missing meanwhile:" />}
      <h3>What happens next</h3>
      <ol class="next">
        {!isReviewed && <li>Your documents are reviewed. If another one is needed, you are asked for it.</li>}
        <li>Your point of sale is read as the terms say. There is nothing that you have to do for that.</li>
        <li>
          With the link of your newest mail you come back to this page: to <a href="#documents">replace documents</a>,
          to <a href="#pos">enter new credentials</a>, or to <a href="#consent">withdraw your consent</a>.
        </li>
        <li>
          Questions? Ask {provider.name}, or write to {support}.
        </li>
      </ol>
    </>
  );
}

function MissingList({ title }: { title: string }) {
  const { onboarding } = useSession();
  return (
    <Notice kind="note">
      <p>{title}</p>
      <ul>
        {onboarding.missing.map((each) => {
          const { step, words } = wordsOfMissing(each, onboarding);
          return (
            <li key={words}>
              <a href={`#${step}`}>{words}</a>
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
