import type { FoundLicense, OnboardingLicenses } from "../../../api/schemas/onboarding.ts";
import { ActionButton, Problem } from "../../browser/parts.tsx";
import { licenseLimit } from "./licenseLimit.ts";
import { useSession } from "./session.tsx";
import { useAction } from "./useAction.ts";

interface QuestionProps {
  license: FoundLicense;
  /**
   * Called with the visitor's answer.
   *
   * @param others the licenses that the service asks about after the answer
   */
  answered(others: readonly FoundLicense[]): void;
}

/** Asks whether a license is one of the business, with the holder next to the business's name. Adds it after a yes. */
export function LicenseQuestion({ license, answered }: QuestionProps) {
  const { onboarding, call, show, announce } = useSession();
  const { isBusy, problem, run } = useAction();
  const { id, license_identifier: number, holder_matches: match } = license;

  const add = () =>
    run(
      async () => {
        const body = { license_numbers: [number ?? ""], confirmed_licenses: [id] };
        const linked = await call<OnboardingLicenses>("PUT", "onboarding/licenses", body);
        show(linked);
        const isLinked = linked.licenses.some((one) => one.id === id);
        announce(
          isLinked
            ? `License ${number} was added.`
            : `The register has changed, and license ${number} was not added. Please enter its number again.`,
        );
        answered(linked.unconfirmed_licenses);
      },
      async (failure) => licenseLimit(failure, onboarding),
    );
  const decline = () => {
    announce(`License ${number} was not added.`);
    answered([]);
  };

  return (
    <li class="row">
      <div class={match === "different" ? "notice problem" : "notice note"}>
        <QuestionText license={license} />
        <Problem id={`license-${id}-problem`}>{problem}</Problem>
        <p class="bar">
          <ActionButton
            type="button"
            kind="secondary"
            isBusy={isBusy}
            busyLabel="Adding …"
            aria-label={`Yes, add it: license ${number}`}
            onClick={add}
          >
            Yes, add it
          </ActionButton>
          <button type="button" aria-label={`No, do not add license ${number}`} onClick={decline}>
            No
          </button>
        </p>
      </div>
    </li>
  );
}

/** The words of the question. */
function QuestionText({ license }: Pick<QuestionProps, "license">) {
  const { business, service_provider: provider } = useSession().onboarding;
  const { license_identifier: number, licensee, trade_names: tradeNames, holder_matches: match } = license;
  const own = <Name>{business.name}</Name>;
  const others = tradeNames.filter((name) => name !== licensee);
  const trading = others.length > 0 && (
    <p>Trading as {others.map((name, i) => [i > 0 && ", ", <Name key={name}>{name}</Name>])}</p>
  );
  if (licensee === null) {
    return (
      <>
        <p>The register does not name the holder of license {number}.</p>
        {trading}
        <p>Is it a license of your business {own}?</p>
      </>
    );
  }
  const holder = <Name>{licensee}</Name>;
  if (match !== "different") {
    return (
      <>
        <p>
          License {number} belongs to {holder}.
        </p>
        {trading}
        <p>Is this your business {own}?</p>
      </>
    );
  }
  return (
    <>
      <p>
        License {number} belongs to {holder}. This is not the name of your business {own}.
      </p>
      {trading}
      <p>
        Please add it only if {own} holds this license under the name {holder}. {provider.name} sees that the names
        differ. Is this your license?
      </p>
    </>
  );
}

/** A name in its own writing direction, so that its characters cannot move the words next to it. */
function Name({ children }: { children: string }) {
  return (
    <strong>
      <bdi>{children}</bdi>
    </strong>
  );
}
