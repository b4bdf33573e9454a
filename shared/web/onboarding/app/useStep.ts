import { useEffect, useState } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { nextStep, type StepName, stepOf } from "./steps.ts";

/** Goes to a step, as a link to it does: the one before stays behind the back button. */
export const goTo = (step: StepName): void => {
  location.hash = step;
};

/** The step that the address names; one that names none is given the step in which something is left to be done. */
export function useStep(onboarding: Onboarding | undefined): StepName | undefined {
  const [step, setStep] = useState(() => stepOf(location.hash));

  useEffect(() => {
    const look = () => setStep(stepOf(location.hash));
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);

  useEffect(() => {
    if (!onboarding || step) return;
    const next = nextStep(onboarding);
    const address = new URL(location.href);
    address.hash = next;
    history.replaceState(null, "", address);
    setStep(next);
  }, [onboarding, step]);

  return step;
}
