import { useState } from "preact/hooks";
import { ActionButton, Notice } from "../../browser/parts.tsx";
import { Steps } from "../../browser/steps.tsx";
import { ConsentStep } from "./consentStep.tsx";
import { DocumentsStep } from "./documentsStep.tsx";
import { PosStep } from "./posStep.tsx";
import { type Session, SessionContext } from "./session.tsx";
import { stepsOf } from "./steps.ts";
import { SubmitStep } from "./submitStep.tsx";
import { TurnLine } from "./turnLine.tsx";
import { useOnboarding } from "./useOnboarding.ts";
import { useStep } from "./useStep.ts";
import { useUploads } from "./useUploads.ts";

const steps = { consent: ConsentStep, pos: PosStep, documents: DocumentsStep, submit: SubmitStep };

interface OnboardProps extends Pick<Session, "call" | "operator" | "support"> {
  /** Called when the invitation is no longer valid. */
  onRejected(): void;
}

/** The onboarding of the invited business, one step at a time. */
export function Onboard({ call, operator, support, onRejected }: OnboardProps) {
  const { onboarding, show, loadProblem, refresh, explain } = useOnboarding({ call, support, onRejected });
  const [announced, announce] = useState("");
  const [isTrying, setTrying] = useState(false);
  const step = useStep(onboarding);
  const uploads = useUploads({
    call,
    explain,
    added: (_, name) => {
      announce(`${name} was added.`);
      void refresh();
    },
  });

  async function tryAgain() {
    setTrying(true);
    await refresh();
    setTrying(false);
  }
  const problem = loadProblem && (
    <Notice kind="problem">
      <p>{loadProblem}</p>
      <ActionButton type="button" kind="secondary" isBusy={isTrying} busyLabel="Trying …" onClick={tryAgain}>
        Try again
      </ActionButton>
    </Notice>
  );

  if (!onboarding || !step) {
    return (
      <main aria-busy={!problem}>
        <h1>Connect your business</h1>
        {problem ?? <p>One moment, please …</p>}
      </main>
    );
  }
  const session = { onboarding, operator, support, call, show, refresh, explain, announce, uploads };
  const Step = steps[step];
  return (
    <SessionContext.Provider value={session}>
      <main>
        <p class="eyebrow">Invited by {onboarding.service_provider.name}</p>
        <h1>{onboarding.business.name}</h1>
        <p class="who">
          You are {onboarding.user.first_name} {onboarding.user.last_name}, {onboarding.user.email}
        </p>
        <TurnLine />
        <nav aria-label="Steps">
          <Steps
            steps={stepsOf(onboarding).map(({ name, ...each }) => ({
              ...each,
              href: `#${name}`,
              isPresent: name === step,
            }))}
          />
        </nav>
        {problem}
        <Step key={step} />
      </main>
      <footer>
        <p>
          Every step is saved. You can leave, and continue later with the link in your newest mail. Questions? Write to{" "}
          {support}.
        </p>
      </footer>
      <p class="unseen" role="status">
        {announced}
      </p>
    </SessionContext.Provider>
  );
}
