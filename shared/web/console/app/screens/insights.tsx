import { useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import { addressOf, nextAfter, type Place } from "../findScreen.ts";
import { counted, titleOf } from "../format.ts";
import { readInsights } from "../lists.ts";
import type { Output } from "../operations.ts";
import { InsightArticle } from "../parts/insightArticle.tsx";
import { Empty, Loaded } from "../parts/layout.tsx";
import { type Decided, Queue, QueueScreen, useItemFocus } from "../parts/queue.tsx";
import { useBusinessNames, useLoad, useOverview, useSession } from "../session.tsx";
import { insightState, matterState } from "../texts.ts";

type Insight = Output<"listInsights">["data"][number];

/** Insights that are listed at most. */
const maxListed = 1_000;

const statuses = ["open", "escalated", "explained", "dismissed", "withdrawn"] as const;

/** Insights as a queue, of all businesses or of one: the list at the left, and the open one with its evidence. */
export function Insights({ parameters: { crb_id = "", id = "" }, query }: Place) {
  const status = statuses.find((each) => each === query.get("status")) ?? "open";
  const { client } = useSession();
  const filters = crb_id ? { crb_id } : {};
  const list = useLoad(`${crb_id} ${status}`, () =>
    readInsights(client, { ...filters, status }, ({ length }) => length >= maxListed),
  );
  const nameOf = useBusinessNames();
  const overview = useOverview();
  /** The insight that was decided last, until the list has it. */
  const [decided, setDecided] = useState<Insight>();
  const [saved, setSaved] = useState<Decided>();
  const items = list.data?.data ?? [];
  const listed = id ? newest([decided, ...items], id) : items[0];
  // The address can name an insight of another state, which the list does not have.
  const isElsewhere = id !== "" && list.data !== undefined && !listed;
  const all = useLoad(
    `${crb_id} ${isElsewhere && id}`,
    isElsewhere ? () => readInsights(client, filters, (read) => read.some((each) => each.id === id)) : undefined,
  );
  const chosen = listed ?? newest(all.data?.data ?? [], id);
  useItemFocus(id, chosen);
  const path = crb_id ? `/businesses/${crb_id}/insights` : "/insights";
  const addressWith = (item: string | undefined, wanted: string = status) =>
    addressOf(item ? `${path}/${item}` : path, { status: wanted === "open" ? "" : wanted });
  const next = nextAfter(items, (item) => item.id === chosen?.id);

  const article = (insight: Insight) => (
    <InsightArticle
      // A changed insight gets a new form, without the problem of the earlier one.
      key={`${insight.id} ${insight.revision}`}
      insight={insight}
      name={nameOf(insight.crb_id)}
      hasNext={next !== undefined}
      decided={(result, opensNext) => {
        setDecided(result);
        location.hash = addressWith(opensNext ? next?.id : result.id);
        setSaved({
          id: `${result.id} ${result.revision}`,
          place: location.hash,
          words: `${nameOf(result.crb_id)}, ${matterState(result.code)[1].toLowerCase()}: ${insightState(result.status)[1].toLowerCase()}.`,
          next: <a href={addressWith(result.id)}>{opensNext ? "Open it again" : "Another decision replaces it"}</a>,
        });
        list.reload();
        overview.reload();
      }}
      reload={() => {
        setDecided(undefined);
        list.reload();
        all.reload();
      }}
    />
  );
  const none = (
    <Empty title={`No insight is ${insightState(status)[1].toLowerCase()}`}>
      The service computes insights after each complete sales day. Choose another state at “Show” to see earlier ones.
    </Empty>
  );
  return (
    <QueueScreen
      crbId={crb_id}
      part="/insights"
      title="Insights"
      lead="Facts that are unusual or impossible. Each stays open until a reviewer decides."
      readAt={list.readAt}
      saved={saved}
    >
      <Queue
        label="Insights of the list"
        head={
          <>
            <Choice
              label="Show"
              value={status}
              options={statuses.map((each) => [each, insightState(each)[1]])}
              changed={(wanted) => {
                location.hash = addressWith(undefined, wanted);
              }}
            />
            {list.data?.has_more && "The first "}
            {list.data && `${counted(items.length, "insight")}, gravest and oldest first`}
          </>
        }
        items={items.map((item) => ({
          href: addressWith(item.id),
          isOpen: item.id === chosen?.id,
          state: matterState(item.code),
          day: formatShortDay(item.end_date),
          name: nameOf(item.crb_id),
          line: titleOf(item),
        }))}
      >
        <Loaded of={list} name="The list of insights">
          {() =>
            chosen ? (
              article(chosen)
            ) : id ? (
              <Loaded of={all} name="The insight">
                {() => (
                  <Empty title="This insight is not in the list">
                    The business’s association may have ended. Continue with <a href="#/insights">the open insights</a>.
                  </Empty>
                )}
              </Loaded>
            ) : (
              none
            )
          }
        </Loaded>
      </Queue>
    </QueueScreen>
  );
}

/** The insight with an id that was read last. */
function newest(items: readonly (Insight | undefined)[], id: string): Insight | undefined {
  const found = items.filter((item): item is Insight => item?.id === id);
  return found.sort((one, other) => other.revision - one.revision)[0];
}
