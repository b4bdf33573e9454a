import { RequirementCard } from "./requirementCard.tsx";
import { useSession } from "./session.tsx";
import { StepHeading } from "./stepHeading.tsx";

/** The requested documents and the uploaded ones. */
export function DocumentsStep() {
  const { requirements } = useSession().onboarding;
  const asked = requirements
    .filter(({ archived }) => !archived)
    .toSorted((one, other) => Number(other.required ?? false) - Number(one.required ?? false));
  return (
    <>
      <StepHeading>Add your documents</StepHeading>
      {asked.length === 0 ? (
        <p>No documents are asked for.</p>
      ) : (
        <p class="lead">PDF, pictures, and office documents of up to 5 MB each.</p>
      )}
      <ul class="requirements">
        {asked.map((requirement) => (
          <RequirementCard key={requirement.requirement_id} requirement={requirement} />
        ))}
      </ul>
      <p class="actions">
        <a class="button" href="#submit">
          Go on
        </a>
      </p>
    </>
  );
}
