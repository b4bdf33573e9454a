import { useEffect, useState } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { nextStep, type StepName, stepOf } from "./steps.ts";

/** Goes to a step like a link does: the back button returns to the previous one. */
export const goTo = (step: StepName): void => {
  location.hash = step;
};

/** The step in the address. An address without a step gets the first incomplete one. */
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
