import { useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import type { Place } from "../findScreen.ts";
import { formatTime } from "../formatTime.ts";
import { DocumentArticle } from "../parts/documentArticle.tsx";
import { Empty } from "../parts/empty.tsx";
import { Head } from "../parts/head.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { QueueItem, useItemHeading } from "../parts/queueItem.tsx";
import { addressOf, counted, nextAfter, waitSince } from "../queue.ts";
import { useRead } from "../useRead.ts";

/** Documents that wait for review as a queue, the oldest first. */
export function Documents({ parameters: { id = "" }, query }: Place) {
  const crbId = query.get("crb_id") || undefined;
  const list = useRead("listDocumentsToReview", { query: { limit: 1000 } });
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
        asOf={list.readAt === undefined ? undefined : formatTime(list.readAt)}
      />
      {crbId && (
        <p>
          Only <a href={`#/businesses/${crbId}`}>{oldest?.crb_name ?? "one business"}</a>.{" "}
          <a href="#/documents">Show all businesses</a>
        </p>
      )}
      <Loaded of={list} name="The list of documents">
        {({ data, metadata: { total } }) =>
          chosen === undefined ? (
            <Empty title="No document waits">
              <p>
                A document appears here as soon as a business sends it. You review it, and the business sees the result.
              </p>
            </Empty>
          ) : (
            <div class="panes">
              <nav class="panel" aria-label="Documents of the list">
                <p class="queue-head faint">
                  Oldest first{data.length < total && `, of the newest ${data.length} of ${total}`}
                </p>
                <ul class="queue">
                  {items.map((item) => (
                    <QueueItem
                      key={item.document.id}
                      href={addressWith(item.document.id)}
                      isOpen={item === chosen}
                      state={["wait", `Waits ${waitSince(item.document.upload_date)}`]}
                      day={formatShortDay(item.document.upload_date)}
                      name={item.crb_name}
                    >
                      {item.requirement_name}
                    </QueueItem>
                  ))}
                </ul>
              </nav>
              <DocumentArticle
                key={chosen.document.id}
                item={chosen}
                heading={heading}
                hasNext={next !== undefined}
                reviewed={(opensNext) => {
                  setReviewed([...reviewed, chosen.document.id]);
                  location.hash = addressWith(opensNext ? next?.document.id : undefined);
                  list.reload();
                }}
                reload={list.reload}
              />
            </div>
          )
        }
      </Loaded>
    </>
  );
}
