import { formatShortDay } from "../../../browser/formatDay.ts";
import { openDocument, shownType } from "../files.ts";
import { formatTime } from "../format.ts";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { Decision } from "./decision.tsx";
import { ActButton } from "./form.tsx";
import { ApiLink, Pairs } from "./layout.tsx";

type Item = Output<"listDocumentsToReview">["data"][number];

/** A review of a document. */
export interface Review {
  /** The document and its business. */
  name: string;
  path: { crb_id: string; requirement_id: string; document_id: string };
  status: "approved" | "archived";
  /** The address that was opened after it. */
  place: string;
}

interface ArticleProps {
  item: Item;
  hasNext: boolean;
  reviewed(review: Omit<Review, "place">, opensNext: boolean): void;
  reload(): void;
}

/** A document that waits: the requirement, its file, and the decision. */
export function DocumentArticle({ item, hasNext, reviewed, reload }: ArticleProps) {
  const { client } = useSession();
  const { crb_id, crb_name, requirement_id, requirement_name, required, document } = item;
  const { file_name, friendly_name } = document;
  const [file, type] = [{ crb_id, doc_id: document.id }, shownType(file_name ?? "")];
  return (
    <article class="panel open" aria-labelledby="document">
      <header>
        <div class="section-head">
          <h2 id="document" tabIndex={-1}>
            {requirement_name}
          </h2>
          <p>
            <a href={`#/businesses/${crb_id}`}>{crb_name}</a> <ApiLink operation="listDocumentsToReview" />
          </p>
        </div>
        <p>{required ? "The business must send this document." : "The business can send this document."}</p>
      </header>
      <div class="pad">
        <Pairs
          of={[
            ["File", [file_name, " ", <ApiLink key="file" operation="getCrbDocumentDownload" />]],
            ["Name on the sender’s device", friendly_name === file_name ? "" : friendly_name],
            ["Added", formatTime(document.upload_date)],
            ["License number", document.license_number],
            ["Expires", document.expiration_date && formatShortDay(document.expiration_date)],
          ]}
        />
        <div class="bar">
          {type && (
            <ActButton kind="secondary" act={() => openDocument(client, file, type)}>
              Open in a new tab
            </ActButton>
          )}
          <ActButton kind="secondary" act={() => openDocument(client, file)}>
            Download
          </ActButton>
        </div>
      </div>
      <Decision
        task="review documents"
        draft={`document:${document.id}`}
        options={[
          ["approved", "Accept", "The requirement is met."],
          ["archived", "Not accepted", "The business sees your note and can send a new file."],
        ]}
        noteLabel="Note to the business"
        noteHint={
          <>
            Needed for “not accepted”, up to 500 characters. <strong>The business reads it</strong>: name the missing
            part, such as “Page 2 with the signature”.
          </>
        }
        withoutNote="approved"
        hasNext={hasNext}
        after="The business sees the result."
        save={async (status, review_note, opensNext) => {
          const path = { crb_id, requirement_id, document_id: document.id };
          const body = { status, ...(status === "archived" && { review_note }) };
          await client("updateRequirementDocumentStatus", { path, body });
          reviewed({ path, status, name: `${requirement_name} of ${crb_name}` }, opensNext);
        }}
        reload={reload}
      />
    </article>
  );
}
