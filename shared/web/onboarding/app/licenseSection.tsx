import { useState } from "preact/hooks";
import type { FoundLicense, OnboardingLicenses } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "../../browser/failures.ts";
import { ActionButton, Field, Notice } from "../../browser/parts.tsx";
import { useForm } from "../../browser/useForm.ts";
import { licenseLimit } from "./licenseLimit.ts";
import { LicenseList } from "./licenseList.tsx";
import { LicenseQuestion } from "./licenseQuestion.tsx";
import { useSession } from "./session.tsx";

/** Maximum number of license numbers in one request (docs/spec.md#limits). */
const maxNumbers = 10;
const wrongNumbers = `Please enter at most ${maxNumbers} license numbers, separated by commas.`;

/** Moves the focus to the section's heading after a focused button is removed. */
const focusSection = () => document.getElementById("licenses")?.focus();

/**
 * The linked licenses of the business, and a form for the numbers of further licenses. The section asks about each license
 * that it finds before it adds the license.
 */
export function LicenseSection() {
  const { onboarding, call, show, announce, explain } = useSession();
  const { licenses, business, service_provider: provider } = onboarding;
  const [text, setText] = useState("");
  const [unmatched, setUnmatched] = useState<readonly string[]>([]);
  const [questions, setQuestions] = useState<readonly FoundLicense[]>([]);
  const numbers = text.split(/[,;\n]/).flatMap((number) => number.trim() || []);
  const { form, problems, problem, isBusy } = useForm({
    explain,
    check() {
      if (numbers.length === 0) return "Please enter a license number.";
      return numbers.length > maxNumbers ? wrongNumbers : undefined;
    },
    async send() {
      setUnmatched([]);
      const body = { license_numbers: numbers, confirmed_licenses: [] };
      const found = await call<OnboardingLicenses>("PUT", "onboarding/licenses", body);
      show(found);
      setUnmatched(found.unmatched_licenses);
      setText(found.unmatched_licenses.join(", "));
      setQuestions(found.unconfirmed_licenses);
      const count = found.unconfirmed_licenses.length;
      if (count > 0) announce(count === 1 ? "Please confirm the license." : `Please confirm ${count} licenses.`);
      else if (found.unmatched_licenses.length === 0) announce("These licenses were added before.");
      if (count > 0) focusSection();
    },
    async handle(failure) {
      if (failure instanceof Rejection && failure.status === 422) return wrongNumbers;
      return licenseLimit(failure, onboarding);
    },
  });

  const answered = (id: string) => (others: readonly FoundLicense[]) => {
    setQuestions((before) => [...before.filter((one) => one.id !== id), ...others.filter((one) => one.id !== id)]);
    focusSection();
  };
  const isDone = licenses.some(({ holder_matches: match }) => match !== "different");
  const open = questions.filter(({ id }) => !licenses.some((license) => license.id === id));

  return (
    <section class="card" aria-labelledby="licenses">
      <h3 id="licenses" tabIndex={-1}>
        Licenses of your business{" "}
        <span class={isDone ? "tag good" : "tag"}>{licenses.length > 0 ? "added" : "optional"}</span>
      </h3>
      <LicenseList licenses={licenses} isRemovable />
      {open.length > 0 && (
        <ul class="list" aria-label="Licenses to confirm">
          {open.map((license) => (
            <LicenseQuestion key={license.id} license={license} answered={answered(license.id)} />
          ))}
        </ul>
      )}
      <form {...form}>
        <Field
          id="license-numbers"
          label={`License numbers in ${business.state}, separated by commas`}
          type="text"
          autocomplete="off"
          value={text}
          changed={setText}
          problem={problems}
        />
        {unmatched.length > 0 && (
          <Notice kind="problem">
            <p>
              The register of {business.state} does not have exactly one license with{" "}
              {unmatched.length > 1 ? "each of the numbers" : "the number"} {unmatched.join(", ")}. Please check for
              typing errors. If there are none, continue: {provider.name} can add the license later.
            </p>
          </Notice>
        )}
        {problem && <Notice kind="problem">{problem}</Notice>}
        <ActionButton kind="secondary" isBusy={isBusy} busyLabel="Looking …">
          Find licenses
        </ActionButton>
      </form>
    </section>
  );
}
