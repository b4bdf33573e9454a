import { useState } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "./failures.ts";
import { LicenseList } from "./licenseList.tsx";
import { ActionButton, Field, Notice, useFocusOnProblem } from "./parts.tsx";
import { useSession } from "./session.tsx";
import { useAction } from "./useAction.ts";

/** Maximum number of license numbers in one request (docs/spec.md#limits). */
const maxNumbers = 10;
const wrongNumbers = `Please enter at most ${maxNumbers} license numbers, separated by commas.`;

/** The linked licenses of the business, and a form for the numbers of further licenses. */
export function LicenseSection() {
  const { onboarding, call, show, announce } = useSession();
  const { licenses, business, service_provider: provider } = onboarding;
  const { isBusy, problem, run } = useAction();
  const [text, setText] = useState("");
  const [unmatched, setUnmatched] = useState<readonly string[]>([]);
  const [fieldProblem, setFieldProblem] = useState<string>();
  const form = useFocusOnProblem(fieldProblem);

  async function link(event: Event) {
    event.preventDefault();
    const numbers = text.split(/[,;\n]/).flatMap((number) => number.trim() || []);
    setFieldProblem(undefined);
    setUnmatched([]);
    if (numbers.length === 0) return setFieldProblem("Please enter a license number.");
    if (numbers.length > maxNumbers) return setFieldProblem(wrongNumbers);
    await run(
      async () => {
        const body = { license_numbers: numbers };
        const linked = await call<Onboarding & { unmatched_licenses: string[] }>("PUT", "onboarding/licenses", body);
        show(linked);
        setUnmatched(linked.unmatched_licenses);
        setText(linked.unmatched_licenses.join(", "));
        if (linked.unmatched_licenses.length === 0) announce("The licenses were added.");
      },
      async (failure) => {
        if (!(failure instanceof Rejection)) return undefined;
        if (failure.status === 409) return `No more licenses can be added here. Please contact ${provider.name}.`;
        return failure.status === 422 ? wrongNumbers : undefined;
      },
    );
  }

  return (
    <section class="card" aria-labelledby="licenses">
      <h3 id="licenses">
        Licenses of your business{" "}
        <span class={licenses.length > 0 ? "tag done" : "tag"}>{licenses.length > 0 ? "added" : "optional"}</span>
      </h3>
      <LicenseList licenses={licenses} />
      <form class="licenses" ref={form} noValidate onSubmit={link}>
        <Field
          id="license-numbers"
          label={`License numbers in ${business.state}, separated by commas`}
          type="text"
          autocomplete="off"
          value={text}
          changed={setText}
          problem={fieldProblem}
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
          Add licenses
        </ActionButton>
      </form>
    </section>
  );
}
