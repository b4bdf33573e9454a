import { useEffect, useState } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { nextStep, type StepName, stepOf } from "./steps.ts";

/** Goes to a step in the same way as a link: the back button returns to the previous step. */
export const goTo = (step: StepName): void => {
  location.hash = step;
};

/** The step that the address names. If the address names no step, the hook writes `nextStep` into the address. */
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
