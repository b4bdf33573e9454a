import type { Requirement } from "../../../api/schemas/requirement.ts";
import { Rejection } from "../../browser/failures.ts";
import { formatDay } from "../../browser/formatDay.ts";
import { ActionButton, Problem } from "../../browser/parts.tsx";
import { useSession } from "./session.tsx";
import { focusHeading } from "./stepHeading.tsx";
import { useAction } from "./useAction.ts";

type RequirementDocument = NonNullable<Requirement["documents"]>[number];

const states = {
  pending: ["", "waiting for review"],
  approved: ["good", "approved"],
  archived: ["act", "not accepted"],
} as const;

/** An uploaded document. The visitor can remove one of the business until it is reviewed. */
export function DocumentRow({ requirementId, document }: { requirementId: string; document: RequirementDocument }) {
  const { onboarding, call, refresh, announce } = useSession();
  const { isBusy, problem, run } = useAction();
  const [mark, words] = states[document.status];
  const name = document.friendly_name ?? document.file_name ?? "Document";
  const isByUser = document.uploaded_by !== null;
  const adder = isByUser ? "" : ` by ${onboarding.service_provider.name}`;

  const remove = () =>
    run(
      async () => {
        const path = `onboarding/requirements/${requirementId}/documents/${document.id}`;
        // 404: the document was already removed in another tab or by another person. This is no failure.
        await call("DELETE", path).catch((failure) => {
          if (!(failure instanceof Rejection && failure.status === 404)) throw failure;
        });
        announce(`${name} was removed.`);
        await refresh();
        focusHeading();
      },
      async (failure) => {
        if (!(failure instanceof Rejection && failure.code === "status_not_allowed")) return undefined;
        await refresh();
        return "This document cannot be removed, because it was reviewed. You can add another one.";
      },
    );

  return (
    <li>
      <div class="row">
        <span class="grow">
          <span>{name}</span>
          <span class="hint">
            <span class={`state ${mark}`}>{words}</span>, added{adder} on {formatDay(document.upload_date)}
          </span>
          {document.review_note && <span class="review-note">{document.review_note}</span>}
        </span>
        {isByUser && document.status === "pending" && (
          <ActionButton
            type="button"
            kind="secondary"
            isBusy={isBusy}
            busyLabel="Removing …"
            aria-label={`Remove ${name}`}
            onClick={remove}
          >
            Remove
          </ActionButton>
        )}
      </div>
      <Problem id={`document-${document.id}-problem`}>{problem}</Problem>
    </li>
  );
}
