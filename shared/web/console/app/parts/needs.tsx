import { useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { counted, daysUntil, titleOf, withDays } from "../format.ts";
import type { Output } from "../operations.ts";
import { type Line, linesOf } from "../overview.ts";
import { type Business, useSession } from "../session.tsx";
import { matterState } from "../texts.ts";
import { Section } from "./layout.tsx";
import { State } from "./marks.tsx";

type Insights = Output<"listInsights">["data"];

/** Lines that are shown at once. */
const shownLines = 12;

/** What of a matter is only to be known: it has no decision of its own. */
const isKnown = ({ code }: Line): boolean => /^(license_(?!holder)|data_)/.test(code);

/** What needs the person: first to decide, then to know, the gravest and oldest first. */
export function Needs({ rows, insights }: { rows: readonly Business[]; insights: Insights }) {
  const lines = linesOf(rows);
  const concerned = rows.filter(({ matters }) => matters.length > 0).length;
  const pending = rows.filter(({ matters, as_of }) => matters.length === 0 && as_of === null).length;
  const rest = rows.length - concerned - pending;
  const businesses = (count: number) => counted(count, "business", "businesses");
  const summary = [
    lines.length === 0 && pending === 0 && "Nothing needs you now.",
    lines.length > 0 && `${counted(lines.length, "matter")} at ${businesses(concerned)}.`,
    lines.length > 0 && rest > 0 && `${counted(rest, "other needs", "others need")} nothing now.`,
    pending > 0 && `The figures of ${businesses(pending)} are not computed yet.`,
  ];
  return (
    <Section
      class="panel needs"
      title="Needs you"
      operation="getOverview"
      side={<p class="faint small">{summary.filter(Boolean).join(" ")}</p>}
    >
      <Group title="Decide" lines={lines.filter((line) => !isKnown(line))} insights={insights} />
      <Group title="Know" lines={lines.filter(isKnown)} insights={insights} />
    </Section>
  );
}

function Group({ title, lines, insights }: { title: string; lines: readonly Line[]; insights: Insights }) {
  const [isOpen, setOpen] = useState(false);
  if (lines.length === 0) return null;
  const shown = isOpen ? lines : lines.slice(0, shownLines);
  return (
    <>
      <h3>{title}</h3>
      <ul class="list">
        {shown.map((line) => (
          <Need key={`${line.business.crb_id} ${line.code}`} line={line} insights={insights} />
        ))}
      </ul>
      {shown.length < lines.length && (
        <button type="button" class="link more" onClick={() => setOpen(true)}>
          Show all {lines.length}
        </button>
      )}
    </>
  );
}

function Need({ line, insights }: { line: Line; insights: Insights }) {
  const { business, code, since } = line;
  const state = matterState(code);
  const { person } = useSession();
  const isTask = !isKnown(line) && person.role !== "viewer";
  const expiry = code === "license_expiring" && business.license?.next_expiry;
  return (
    <li>
      <State of={state} />
      <a href={`#/businesses/${business.crb_id}`}>{business.name}</a>
      <p>{sentenceOf(line, insights)}</p>
      <span class="small faint">{expiry ? daysUntil(expiry) : `since ${formatShortDay(since)}`}</span>
      <span>
        <a href={hrefOf(line)}>
          {isTask ? (code === "document_to_review" ? "Review" : "Decide") : "See"}
          <span class="unseen">
            : {business.name}, {state[1]}
          </span>
        </a>
      </span>
    </li>
  );
}

/** The screen on which the matter is decided or explained. */
function hrefOf({ business, code, id }: Line): string {
  const own = `#/businesses/${business.crb_id}`;
  if (code === "document_to_review") return `${own}/documents`;
  if (/^license_(?!holder)/.test(code)) return `${own}/licenses`;
  if (code.startsWith("data_")) return `${own}/data`;
  return `#/insights/${id ?? ""}`;
}

function sentenceOf({ business, code, count, id }: Line, insights: Insights): string {
  const found = insights.find((insight) => insight.id === id);
  if (found) {
    const { latest } = found;
    const words = latest?.ended_on === null ? withDays(latest.sentence) : titleOf(found);
    return count === 1 ? words : `${words.replace(/\.$/, "")}; ${count - 1} more`;
  }
  const { license, data } = business;
  if (code === "license_expiring" && license?.next_expiry)
    return `The next license ends on ${formatShortDay(license.next_expiry)}.`;
  if (code.startsWith("license_")) return `${counted(count, "linked license")}.`;
  if (code === "document_to_review") return `${counted(count, "document waits", "documents wait")}.`;
  if (code.startsWith("data_")) {
    const kinds = counted(count, "kind of records", "kinds of records");
    return data?.data_as_of ? `${kinds}; sales are as of ${formatShortDay(data.data_as_of)}.` : `${kinds}.`;
  }
  return `${counted(count, "insight is open", "insights are open")}.`;
}
