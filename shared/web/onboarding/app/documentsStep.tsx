import { useEffect } from "preact/hooks";
import { acceptedWords } from "./files.ts";
import { LicenseSection } from "./licenseSection.tsx";
import { RequirementCard } from "./requirementCard.tsx";
import { useSession } from "./session.tsx";
import { StateSection } from "./stateSection.tsx";
import { StepHeading } from "./stepHeading.tsx";

/** The requested and the uploaded documents. */
export function DocumentsStep() {
  const { requirements } = useSession().onboarding;
  const requested = requirements
    .filter(({ archived }) => !archived)
    .toSorted((one, other) => Number(other.required ?? false) - Number(one.required ?? false));
  // The browser finds the card of a link such as `#documents/…` only if this step is already shown.
  useEffect(() => document.getElementById(location.hash.slice(1))?.focus(), []);
  return (
    <>
      <StepHeading>Add your documents</StepHeading>
      {requested.length === 0 ? (
        <p>No documents are requested.</p>
      ) : (
        <>
          <p class="lead">
            Add a file or a photo of each document. A photo has to show the whole page, and be easy to read.
          </p>
          <p>
            Accepted are {acceptedWords}, of up to 5 MB each. Larger JPEG and PNG pictures are made smaller before they
            leave your device. Text files are not accepted.
          </p>
        </>
      )}
      <ul class="list">
        {requested.map((requirement) => (
          <RequirementCard key={requirement.requirement_id} requirement={requirement} />
        ))}
      </ul>
      <LicenseSection />
      <StateSection />
      <p class="bar">
        <a class="button primary" href="#submit">
          Continue
        </a>
      </p>
    </>
  );
}
