import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import type { Place } from "../findScreen.ts";
import type { Output } from "../operations.ts";
import { useBusinessNames, useOverview } from "../overview.ts";
import { InsightArticle } from "../parts/insightArticle.tsx";
import { Empty, Head, Loaded } from "../parts/layout.tsx";
import { OnlyBusiness, Queue, useItemHeading } from "../parts/queue.tsx";
import { addressOf, counted, nextAfter } from "../queue.ts";
import { insightState, matterState } from "../texts.ts";
import { useRead } from "../useRead.ts";

type Insight = Output<"listInsights">["data"][number];

const statuses = ["open", "escalated", "explained", "dismissed", "withdrawn"] as const;

/** Insights as a queue: the list at the left, and the open one with its evidence and the decision. */
export function Insights({ parameters: { id = "" }, query }: Place) {
  const status = statuses.find((each) => each === query.get("status")) ?? "open";
  const crbId = query.get("crb_id") || undefined;
  const list = useRead("listInsights", { query: { status, limit: 1000, ...(crbId && { crb_id: crbId }) } });
  const nameOf = useBusinessNames();
  const overview = useOverview();
  /** The insight that was decided last, until the list has it. */
  const [decided, setDecided] = useState<Insight>();
  const items = list.data?.data ?? [];
  const chosen = id ? newest([decided, ...items], id) : items[0];
  const heading = useItemHeading(id, chosen);
  const addressWith = (item: string | undefined, wanted: string = status) =>
    addressOf(item ? `/insights/${item}` : "/insights", { status: wanted === "open" ? "" : wanted, crb_id: crbId });
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
    <>
      <Head
        title="Insights"
        lead="Facts that are unusual or impossible. Each stays open until a reviewer decides."
        readAt={list.readAt}
      />
      {crbId && <OnlyBusiness crbId={crbId} name={nameOf(crbId)} all={addressOf("/insights", { status })} />}
      <Loaded of={list} name="The list of insights">
        {({ data, has_more }) => (
          <Queue
            label="Insights of the list"
            head={
              <>
                <Choice
                  id="status"
                  label="Show"
                  value={status}
                  options={statuses.map((each) => [each, insightState(each)[1]])}
                  changed={(wanted) => {
                    location.hash = addressWith(undefined, wanted);
                  }}
                />
                <span class="faint">
                  {has_more ? "The first 1,000" : counted(data.length, "insight", "insights")}, gravest and oldest first
                </span>
              </>
            }
            items={data.map((item) => ({
              href: addressWith(item.id),
              isOpen: item.id === chosen?.id,
              state: matterState(item.code),
              day: formatShortDay(item.end_date),
              name: nameOf(item.crb_id),
              line: item.sentence,
            }))}
          >
            {chosen ? article(chosen) : id ? <Elsewhere id={id}>{article}</Elsewhere> : none}
          </Queue>
        )}
      </Loaded>
    </>
  );
}

/** The insight with an id that was read last. */
function newest(items: readonly (Insight | undefined)[], id: string): Insight | undefined {
  const found = items.filter((item): item is Insight => item?.id === id);
  return found.sort((one, other) => other.revision - one.revision)[0];
}

interface ElsewhereProps {
  id: string;
  children(insight: Insight, reload: () => void): ComponentChildren;
}

/** An insight that the address names and the list does not have, since its state is another one. */
function Elsewhere({ id, children }: ElsewhereProps) {
  const list = useRead("listInsights", { query: { limit: 1000 } });
  return (
    <Loaded of={list} name="The insight">
      {({ data }) => {
        const found = newest(data, id);
        if (found) return children(found, list.reload);
        return (
          <Empty title="This insight is not in the list">
            The business’s association may have ended. Continue with <a href="#/insights">the open insights</a>.
          </Empty>
        );
      }}
    </Loaded>
  );
}
