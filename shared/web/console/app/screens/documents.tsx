import { useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import type { Place } from "../findScreen.ts";
import { useOverview } from "../overview.ts";
import { DocumentArticle } from "../parts/documentArticle.tsx";
import { Empty, Head, Loaded } from "../parts/layout.tsx";
import { OnlyBusiness, Queue, useItemHeading } from "../parts/queue.tsx";
import { addressOf, counted, nextAfter, waitSince } from "../queue.ts";
import { useRead } from "../useRead.ts";

/** Documents that wait for review as a queue, the oldest first. */
export function Documents({ parameters: { id = "" }, query }: Place) {
  const crbId = query.get("crb_id") || undefined;
  const list = useRead("listDocumentsToReview", { query: { limit: 1000 } });
  const overview = useOverview();
  const heading = useItemHeading(id);
  /** The documents that were reviewed here, until the list is read again. */
  const [reviewed, setReviewed] = useState<readonly string[]>([]);
  const items = (list.data?.data ?? [])
    .filter(({ crb_id, document }) => (!crbId || crb_id === crbId) && !reviewed.includes(document.id))
    // The service lists the newest first.
    .reverse();
  const chosen = items.find(({ document }) => document.id === id) ?? items[0];
  const next = nextAfter(items, (item) => item === chosen);
  const addressWith = (item: string | undefined) =>
    addressOf(item ? `/documents/${item}` : "/documents", { crb_id: crbId });
  const businesses = new Set(items.map(({ crb_id }) => crb_id)).size;
  const oldest = items[0];
  return (
    <>
      <Head
        title="Documents to review"
        lead={
          oldest &&
          `${counted(items.length, "document waits", "documents wait")} at ${counted(businesses, "business", "businesses")}, the oldest for ${waitSince(oldest.document.upload_date)}.`
        }
        readAt={list.readAt}
      />
      {crbId && <OnlyBusiness crbId={crbId} name={oldest?.crb_name ?? "one business"} all="#/documents" />}
      <Loaded of={list} name="The list of documents">
        {({ data, metadata: { total } }) =>
          chosen === undefined ? (
            <Empty title="No document waits">
              A document appears here as soon as a business sends it. You review it, and the business sees the result.
            </Empty>
          ) : (
            <Queue
              label="Documents of the list"
              head={
                <span class="faint">
                  Oldest first{data.length < total && `, of the newest ${data.length} of ${total}`}
                </span>
              }
              items={items.map((item) => ({
                href: addressWith(item.document.id),
                isOpen: item === chosen,
                state: ["wait", `Waits ${waitSince(item.document.upload_date)}`],
                day: formatShortDay(item.document.upload_date),
                name: item.crb_name,
                line: item.requirement_name,
              }))}
            >
              <DocumentArticle
                key={chosen.document.id}
                item={chosen}
                heading={heading}
                hasNext={next !== undefined}
                reviewed={(opensNext) => {
                  setReviewed([...reviewed, chosen.document.id]);
                  location.hash = addressWith(opensNext ? next?.document.id : undefined);
                  list.reload();
                  overview.reload();
                }}
                reload={list.reload}
              />
            </Queue>
          )
        }
      </Loaded>
    </>
  );
}
