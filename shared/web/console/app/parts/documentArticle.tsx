import { Rejection } from "../../../browser/failures.ts";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { openDocument, shownType } from "../files.ts";
import { formatTime } from "../format.ts";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { documentState, nameOfPerson } from "../texts.ts";
import { Decision } from "./decision.tsx";
import { ActButton } from "./form.tsx";
import { ApiLink, Pairs } from "./layout.tsx";

type Item = Output<"listDocumentsToReview">["data"][number];
type Requirement = Output<"updateRequirementDocumentStatus">;

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

/** A review that a person sends. */
interface OwnReview extends Pick<Review, "status"> {
  /** The document. */
  id: string;
  sub: string;
  review_note?: string;
}

/** @throws Rejection if the document has another review, such as that of another person */
function requireOwn(requirements: readonly Requirement[], { id, sub, status, review_note }: OwnReview): void {
  const found = requirements.flatMap(({ documents = [] }) => documents).find((each) => each.id === id);
  if (!found || found.status === "pending") return;
  const { reviewed_by_person: by } = found;
  if (by?.sub === sub && found.status === status && found.review_note === review_note) return;
  const words = `${by ? nameOfPerson(by) : "A program"} had already decided: ${documentState(found.status)[1].toLowerCase()}`;
  throw new Rejection(409, { message: `${words}. Your decision was not stored, and your note is kept.` });
}

/** A document that waits: the requirement, its file, and the decision. */
export function DocumentArticle({ item, hasNext, reviewed, reload }: ArticleProps) {
  const { client, person } = useSession();
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
          const own = { ...body, id: document.id, sub: person.sub };
          // The service would replace an earlier acceptance. A repeated decision gets the first one with its note.
          requireOwn((await client("getCrbOnboardingTemplate", { path: { crb_id } })).standard_requirements, own);
          requireOwn([await client("updateRequirementDocumentStatus", { path, body })], own);
          reviewed({ path, status, name: `${requirement_name} of ${crb_name}` }, opensNext);
        }}
        reload={reload}
      />
    </article>
  );
}
