import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import { addressOf, nextAfter, type Place } from "../findScreen.ts";
import { counted, titleOf } from "../format.ts";
import type { Output } from "../operations.ts";
import { InsightArticle } from "../parts/insightArticle.tsx";
import { Empty, Loaded, Reading } from "../parts/layout.tsx";
import { type Decided, Queue, QueueScreen, Saved, useItemHeading } from "../parts/queue.tsx";
import { useBusinessNames, useOverview, useRead } from "../session.tsx";
import { insightState, matterState } from "../texts.ts";

type Insight = Output<"listInsights">["data"][number];

const statuses = ["open", "escalated", "explained", "dismissed", "withdrawn"] as const;

/** Insights as a queue, of all businesses or of one: the list at the left, and the open one with its evidence. */
export function Insights({ parameters: { crb_id = "", id = "" }, query }: Place) {
  const status = statuses.find((each) => each === query.get("status")) ?? "open";
  const list = useRead("listInsights", { query: { status, limit: 1000, ...(crb_id && { crb_id }) } });
  const nameOf = useBusinessNames();
  const overview = useOverview();
  /** The insight that was decided last, until the list has it. */
  const [decided, setDecided] = useState<Insight>();
  const [saved, setSaved] = useState<Decided>();
  const items = list.data?.data ?? [];
  const chosen = id ? newest([decided, ...items], id) : items[0];
  const heading = useItemHeading(id, chosen);
  const path = crb_id ? `/businesses/${crb_id}/insights` : "/insights";
  const addressWith = (item: string | undefined, wanted: string = status) =>
    addressOf(item ? `${path}/${item}` : path, { status: wanted === "open" ? "" : wanted });
  const next = nextAfter(items, (item) => item.id === chosen?.id);

  const article = (insight: Insight, reload = list.reload) => (
    <InsightArticle
      // A changed insight gets a new form, without the problem of the earlier one.
      key={`${insight.id} ${insight.revision}`}
      insight={insight}
      name={nameOf(insight.crb_id)}
      heading={heading}
      hasNext={next !== undefined}
      decided={(result, opensNext) => {
        setDecided(result);
        setSaved({
          words: `${nameOf(result.crb_id)}, ${matterState(result.code)[1].toLowerCase()}: ${insightState(result.status)[1].toLowerCase()}.`,
          next: <a href={addressWith(result.id)}>{opensNext ? "Open it again" : "Another decision replaces it"}</a>,
        });
        location.hash = addressWith(opensNext ? next?.id : result.id);
        list.reload();
        overview.reload();
      }}
      reload={() => {
        setDecided(undefined);
        reload();
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
    >
      <Saved of={saved} />
      <Loaded of={list} name="The list of insights">
        {({ data, has_more }) => (
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
                {has_more ? "The first 1,000" : counted(data.length, "insight")}, gravest and oldest first
              </>
            }
            items={data.map((item) => ({
              href: addressWith(item.id),
              isOpen: item.id === chosen?.id,
              state: matterState(item.code),
              day: formatShortDay(item.end_date),
              name: nameOf(item.crb_id),
              line: titleOf(item),
            }))}
          >
            {chosen ? (
              article(chosen)
            ) : id ? (
              <Elsewhere id={id} crbId={crb_id}>
                {article}
              </Elsewhere>
            ) : (
              none
            )}
          </Queue>
        )}
      </Loaded>
    </QueueScreen>
  );
}

/** The insight with an id that was read last. */
function newest(items: readonly (Insight | undefined)[], id: string): Insight | undefined {
  const found = items.filter((item): item is Insight => item?.id === id);
  return found.sort((one, other) => other.revision - one.revision)[0];
}

interface ElsewhereProps {
  id: string;
  /** The business whose insights are shown; empty for all. */
  crbId: string;
  children(insight: Insight, reload: () => void): ComponentChildren;
}

/** An insight that the address names and the list does not have, since its state is another one. */
function Elsewhere({ id, crbId, children }: ElsewhereProps) {
  const query = { limit: 1000, ...(crbId && { crb_id: crbId }) };
  return (
    <Reading of="listInsights" input={{ query }} name="The insight">
      {({ data }, reload) => {
        const found = newest(data, id);
        if (found) return children(found, reload);
        return (
          <Empty title="This insight is not in the list">
            The business’s association may have ended. Continue with <a href="#/insights">the open insights</a>.
          </Empty>
        );
      }}
    </Reading>
  );
}
