import { useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { addressOf, nextAfter, type Place } from "../findScreen.ts";
import { counted, waitSince } from "../format.ts";
import { readDocuments } from "../lists.ts";
import type { Output } from "../operations.ts";
import { BusinessChoice } from "../parts/businessFrame.tsx";
import { DocumentArticle, type Review } from "../parts/documentArticle.tsx";
import { ActButton } from "../parts/form.tsx";
import { Empty, Loaded, Reading } from "../parts/layout.tsx";
import { Queue, QueueScreen, useItemFocus } from "../parts/queue.tsx";
import { type Column, DataTable, state, text, time } from "../parts/table.tsx";
import { useLoad, useOverview, useSession } from "../session.tsx";
import { documentState, nameOfPerson } from "../texts.ts";

/** Documents that wait for review as a queue, the oldest first; below it the reviewed ones of a business. */
export function Documents({ parameters: { crb_id = "", id = "" } }: Place) {
  const { client } = useSession();
  const list = useLoad("documents", () => readDocuments(client));
  const overview = useOverview();
  useItemFocus(id);
  /** The reviews of this visit, the newest first. The list has their documents until it is read again. */
  const [reviews, setReviews] = useState<readonly Review[]>([]);
  const [wanted, setWanted] = useState("");
  const { documents = [], total = 0 } = list.data ?? {};
  const isWhole = documents.length >= total;
  const items = documents
    .filter((each) => !crb_id || each.crb_id === crb_id)
    .filter(({ document }) => !reviews.some(({ path }) => path.document_id === document.id));
  const chosen = id ? items.find(({ document }) => document.id === id) : items[0];
  const next = nextAfter(items, (item) => item === chosen);
  const path = crb_id ? `/businesses/${crb_id}/documents` : "/documents";
  const addressWith = (item: string | undefined) => addressOf(item ? `${path}/${item}` : path, {});
  const businesses = new Set(items.map((item) => item.crb_id)).size;
  const oldest = items[0];
  const [last] = reviews;
  const shownCrb = crb_id || wanted || (last?.path.crb_id ?? chosen?.crb_id ?? "");
  const changed = (next: readonly Review[]) => {
    setReviews(next);
    list.reload();
    overview.reload();
  };
  const none = !isWhole ? (
    <Empty title="Not all documents could be read">
      {documents.length} of {total} documents that wait could be read. Load the page again.
    </Empty>
  ) : id ? (
    <Empty title="This document no longer waits">
      It was reviewed, or removed. The reviewed documents of each business are below. Continue with{" "}
      <a href={addressWith(undefined)}>the documents that wait</a>.
    </Empty>
  ) : (
    <Empty title="No document waits">
      A document appears here as soon as a business sends it. You review it, and the business sees the result.
    </Empty>
  );
  return (
    <QueueScreen
      crbId={crb_id}
      part="/documents"
      title="Documents to review"
      lead={
        oldest &&
        `${isWhole ? "" : "At least "}${counted(items.length, "document waits", "documents wait")} at ${counted(businesses, "business", "businesses")}, the oldest for ${waitSince(oldest.document.upload_date)}.`
      }
      readAt={list.readAt}
      saved={
        last && {
          id: last.path.document_id,
          place: last.place,
          words: `${last.name}: ${documentState(last.status)[1].toLowerCase()}.`,
          next: <OpenAgain path={last.path} done={() => changed(reviews.slice(1))} words="Undo" />,
        }
      }
    >
      <Loaded of={list} name="The list of documents">
        {() =>
          items.length === 0 ? (
            none
          ) : (
            <Queue
              label="Documents of the list"
              head={`Oldest first${isWhole ? "" : `, ${documents.length} of ${total} that could be read`}`}
              items={items.map((item) => ({
                href: addressWith(item.document.id),
                isOpen: item === chosen,
                state: ["wait", `Waits ${waitSince(item.document.upload_date)}`],
                day: formatShortDay(item.document.upload_date),
                name: item.crb_name,
                line: item.requirement_name,
              }))}
            >
              {chosen ? (
                <DocumentArticle
                  key={chosen.document.id}
                  item={chosen}
                  hasNext={next !== undefined}
                  reviewed={(review, opensNext) => {
                    location.hash = addressWith(opensNext ? next?.document.id : undefined);
                    changed([{ ...review, place: location.hash }, ...reviews]);
                  }}
                  reload={() => {
                    // The address keeps another document from opening in its place.
                    location.hash = addressWith(chosen.document.id);
                    setWanted(chosen.crb_id);
                    list.reload();
                  }}
                />
              ) : (
                none
              )}
            </Queue>
          )
        }
      </Loaded>
      {!crb_id && (
        <div class="bar">
          <BusinessChoice value={shownCrb} changed={setWanted} />
        </div>
      )}
      {shownCrb && list.readAt && (
        <Reviewed key={`${shownCrb} ${list.readAt}`} crbId={shownCrb} reopened={() => changed([])} />
      )}
    </QueueScreen>
  );
}

/** The button that lets a reviewed document wait again. */
function OpenAgain({ path, words, done }: { path: Review["path"]; words: string; done(): void }) {
  const { client, announce } = useSession();
  const open = async () => {
    await client("updateRequirementDocumentStatus", { path, body: { status: "pending" } });
    announce("The document waits again.");
    done();
  };
  return <ActButton act={open}>{words}</ActButton>;
}

/** A document with its requirement. */
interface ReviewedDocument {
  id: string;
  requirement: string;
  path: Review["path"];
  document: Output<"listDocumentsToReview">["data"][number]["document"];
}

const none = "not known";
const columns: readonly Column<ReviewedDocument>[] = [
  text("Document", ({ requirement }) => requirement, { under: ({ document }) => document.file_name }),
  state("Decision", ({ document }) => documentState(document.status), {
    under: ({ document }) => document.review_note,
  }),
  text("By", ({ document: { reviewed_by_person: by, reviewed_by } }) => (by ? nameOfPerson(by) : reviewed_by), {
    none,
  }),
  time("When", ({ document }) => document.review_date, { none }),
];

/** The reviewed documents of a business: by whom, when, and with which result. */
function Reviewed({ crbId, reopened }: { crbId: string; reopened(): void }) {
  const { person } = useSession();
  const again: Column<ReviewedDocument> = {
    label: "Review again",
    shown: ({ path }) => <OpenAgain path={path} words="Open again" done={reopened} />,
  };
  return (
    <Reading of="getCrbOnboardingTemplate" input={{ path: { crb_id: crbId } }} name="The reviewed documents">
      {({ standard_requirements: requirements = [] }) => {
        const rows = requirements
          .flatMap(({ documents = [], name = "", requirement_id }) =>
            documents.map((document) => {
              const path = { crb_id: crbId, requirement_id, document_id: document.id };
              return { id: document.id, requirement: name, path, document };
            }),
          )
          .filter(({ document }) => document.status !== "pending")
          .sort((one, other) => ((one.document.review_date ?? "") < (other.document.review_date ?? "") ? 1 : -1));
        return (
          <DataTable
            title="Reviewed documents"
            caption="Newest review first."
            columns={person.role === "viewer" ? columns : [...columns, again]}
            rows={rows}
            operation="getCrbOnboardingTemplate"
            isWrapped
          />
        );
      }}
    </Reading>
  );
}
