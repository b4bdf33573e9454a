import type { ErrorCode } from "../../../api/errorCodes.ts";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "../../browser/failures.ts";
import { ActionButton, Notice } from "../../browser/parts.tsx";
import { LicenseList } from "./licenseList.tsx";
import { useSession } from "./session.tsx";
import { StepHeading } from "./stepHeading.tsx";
import { describeMissing } from "./steps.ts";
import { isBeforeSubmission, turnOf } from "./turn.ts";
import { useAction } from "./useAction.ts";

/** Submits a complete onboarding, or lists the missing parts. After the submission it explains what happens next. */
export function SubmitStep() {
  return isBeforeSubmission(useSession().onboarding) ? <ToSubmit /> : <Standing />;
}

/** The codes of an onboarding that lacks steps, or that was already submitted in another tab. */
const notSubmittable: readonly string[] = ["steps_missing", "status_not_allowed"] satisfies ErrorCode[];

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
        if (!(failure instanceof Rejection && notSubmittable.includes(failure.code))) return undefined;
        const now = await refresh();
        return now && now.missing.length === 0 ? "" : "Something is still missing. Please see the list above.";
      },
    );

  return (
    <>
      <StepHeading>Submit</StepHeading>
      {isMissing ? (
        <MissingList title="Before you submit, please complete:" />
      ) : (
        <Notice kind="good">
          <p>Everything is complete.</p>
        </Notice>
      )}
      <Licenses />
      <p>
        After you submit, your entries are reviewed for {onboarding.service_provider.name}. You can still add documents,
        change credentials and withdraw your consent.
      </p>
      {problem && <Notice kind="problem">{problem}</Notice>}
      <p class="bar">
        <ActionButton type="button" isBusy={isBusy} busyLabel="Submitting …" onClick={submit}>
          Submit for review
        </ActionButton>
      </p>
    </>
  );
}

/** The heading after the submission, and where nothing has to be submitted. */
function headingOf(onboarding: Onboarding): string {
  const { who } = turnOf(onboarding);
  if (onboarding.status === "svc_awaiting_review") return "Submitted";
  if (who === "visitor" || who === "pos") return "Missing parts";
  if (who === "paused") return "Paused";
  return who === "provider" ? "In review" : "You are set up";
}

function Standing() {
  const { onboarding, support } = useSession();
  const { status, service_provider: provider, business, missing } = onboarding;
  const isSubmitted = status === "svc_awaiting_review";
  const { who } = turnOf(onboarding);
  return (
    <>
      <StepHeading>{headingOf(onboarding)}</StepHeading>
      {isSubmitted && (
        <Notice kind="good">
          <p>Thank you. Your entries for {business.name} are waiting for review.</p>
        </Notice>
      )}
      {who === "nobody" && (
        <Notice kind="good">
          <p>
            {business.name} is set up with {provider.name}.
          </p>
        </Notice>
      )}
      {missing.length > 0 && (
        <MissingList title={onboarding.consent ? "Please complete:" : "Please begin with consent:"} />
      )}
      <Licenses />
      <h3>What happens next</h3>
      <ol>
        {!["nobody", "paused"].includes(who) && (
          <li>
            Your documents are reviewed. If a required one is not accepted, you get a mail, and this page names the
            document.
          </li>
        )}
        {who !== "paused" && (
          <li>
            Once it is connected, your point of sale is read as the terms say. You do not need to do anything for this.
          </li>
        )}
        <li>
          The link in your newest mail opens this page again. Here you can <a href="#documents">add documents</a>,{" "}
          <a href="#pos">enter new credentials</a> or <a href="#consent">withdraw your consent</a>.
        </li>
        <li>
          For questions, contact {provider.name} or write to {support}.
        </li>
      </ol>
    </>
  );
}

/** The licenses of the business, so that the open steps and the licenses are in one overview. */
function Licenses() {
  const { licenses } = useSession().onboarding;
  if (licenses.length === 0) return null;
  return (
    <section class="card" aria-labelledby="own-licenses">
      <h3 id="own-licenses">Licenses of your business</h3>
      <LicenseList licenses={licenses} />
    </section>
  );
}

function MissingList({ title }: { title: string }) {
  const { onboarding } = useSession();
  return (
    <Notice kind="note">
      <p>{title}</p>
      <ul>
        {onboarding.missing.map((each) => {
          const { href, label } = describeMissing(each, onboarding);
          return (
            <li key={label}>
              <a href={href}>{label}</a>
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
