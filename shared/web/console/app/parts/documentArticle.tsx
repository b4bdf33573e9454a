import type { Ref } from "preact";
import { Notice } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { formatTime } from "../formatTime.ts";
import { saveDocument, showDocument, shownType } from "../openFile.ts";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { roleNames } from "../texts.ts";
import { ApiLink } from "./apiLink.tsx";
import { DecisionForm } from "./decisionForm.tsx";

type Item = Output<"listDocumentsToReview">["data"][number];

const options = [
  { value: "approved", title: "Accept", hint: "The requirement is met." },
  { value: "archived", title: "Not accepted", hint: "The business sees your note and can send a new file." },
] as const;

interface ArticleProps {
  item: Item;
  heading: Ref<HTMLHeadingElement>;
  hasNext: boolean;
  reviewed(opensNext: boolean): void;
  reload(): void;
}

/** A document that waits: the requirement, its file, and the decision. */
export function DocumentArticle({ item, heading, hasNext, reviewed, reload }: ArticleProps) {
  const { crb_id, crb_name, requirement_name, required, document } = item;
  return (
    <article class="panel open" aria-labelledby="document">
      <header>
        <div class="section-head">
          <h2 id="document" ref={heading} tabIndex={-1}>
            {requirement_name}
          </h2>
          <p>
            <a href={`#/businesses/${crb_id}`}>{crb_name}</a> <ApiLink operation="listDocumentsToReview" />
          </p>
        </div>
        <p>{required ? "The business must send this document." : "The business can send this document."}</p>
      </header>
      <div class="pad">
        <dl class="pairs">
          <dt>File</dt>
          <dd>
            {document.file_name} <ApiLink operation="getCrbDocumentDownload" />
          </dd>
          {document.friendly_name && document.friendly_name !== document.file_name && (
            <>
              <dt>Name on the sender’s device</dt>
              <dd>{document.friendly_name}</dd>
            </>
          )}
          <dt>Added</dt>
          <dd>{formatTime(Date.parse(document.upload_date))}</dd>
          {document.license_number && (
            <>
              <dt>License number</dt>
              <dd>{document.license_number}</dd>
            </>
          )}
          {document.expiration_date && (
            <>
              <dt>Expires</dt>
              <dd>{document.expiration_date}</dd>
            </>
          )}
        </dl>
        <FileButtons item={item} />
      </div>
      <div class="decide">
        <h3>Your decision</h3>
        <Decide item={item} hasNext={hasNext} reviewed={reviewed} reload={reload} />
      </div>
    </article>
  );
}

function FileButtons({ item: { crb_id, document } }: { item: Item }) {
  const { client, explain } = useSession();
  const { isBusy, problem, run } = useAction(explain);
  const file = { crb_id, doc_id: document.id };
  const type = shownType(document.file_name ?? "");
  return (
    <>
      <div class="bar">
        {type && (
          <button
            type="button"
            aria-disabled={isBusy || undefined}
            onClick={() =>
              run(async () => {
                if (!(await showDocument(client, file, type))) await saveDocument(client, file);
              })
            }
          >
            Open in a new tab
          </button>
        )}
        <button type="button" aria-disabled={isBusy || undefined} onClick={() => run(() => saveDocument(client, file))}>
          Download
        </button>
      </div>
      {problem && <Notice kind="problem">{problem}</Notice>}
    </>
  );
}

/** The form; for viewers the reason why there is none. */
function Decide({ item, hasNext, reviewed, reload }: Omit<ArticleProps, "heading">) {
  const { client, person } = useSession();
  const { crb_id, requirement_id, document } = item;
  if (person.role === "viewer")
    return (
      <p>
        You can read everything here. Your role, {roleNames.viewer.toLowerCase()}, cannot review documents; reviewers
        and administrators can. The person who manages your bank’s accounts can change your role.
      </p>
    );
  return (
    <DecisionForm
      draft={`document:${document.id}`}
      options={options}
      noteLabel="Note to the business"
      noteHint={
        <>
          1 to 500 characters. <strong>The business reads it</strong>: name the missing part, such as “Page 2 with the
          signature”.
        </>
      }
      hasNote={(choice) => choice === "archived"}
      hasNext={hasNext}
      after="The business sees the result."
      save={async ({ choice, note }, opensNext) => {
        const path = { crb_id, requirement_id, document_id: document.id };
        const body = { status: choice, ...(choice === "archived" && { review_note: note }) };
        await client("updateRequirementDocumentStatus", { path, body });
        reviewed(opensNext);
      }}
      reload={reload}
    />
  );
}
