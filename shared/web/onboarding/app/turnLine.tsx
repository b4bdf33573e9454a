import { useSession } from "./session.tsx";
import { cardLink } from "./steps.ts";
import { turnOf, unreplaced } from "./turn.ts";

/** Whose turn it is and what comes next, in one line, and the documents that were not accepted. */
export function TurnLine() {
  const { onboarding, operator } = useSession();
  const { now, next } = turnOf(onboarding, operator);
  const rejected = onboarding.requirements.flatMap((requirement) =>
    unreplaced(requirement).map((document) => ({ requirement, document })),
  );
  return (
    <>
      <p class="turn">
        <strong>{now}</strong> {next}
      </p>
      {rejected.length > 0 && (
        <section class="notice problem" aria-label="Documents that were not accepted">
          <ul>
            {rejected.map(({ requirement, document }) => (
              <li key={document.id}>
                <strong>{document.friendly_name ?? document.file_name ?? "A document"}</strong> was not accepted.{" "}
                {document.review_note && <q>{document.review_note}</q>}{" "}
                <a href={cardLink(requirement.requirement_id)}>Add another one: {requirement.name}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
