import type { JSX } from "preact";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { dollars } from "../format.ts";
import type { Business } from "../session.tsx";
import type { Mark, StateWords } from "../texts.ts";

const shapes: Readonly<Record<Mark, JSX.Element>> = {
  act: (
    <>
      <path class="solid" d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z" />
      <path class="cut" d="M8 4.6v4M8 11.2v.1" />
    </>
  ),
  look: <path d="M8 2 14.6 13.6H1.4zM8 6.4v3.2M8 11.6v.1" />,
  wait: <path d="M1.8 8a6.2 6.2 0 0 0 12.4 0A6.2 6.2 0 0 0 1.8 8M8 4.4V8l2.4 1.6" />,
  good: <path d="m2.8 8.6 3.4 3.4 7-7.6" />,
  idle: <circle cx="8" cy="8" r="6" stroke-dasharray="2.4 2.4" />,
};

/** A state as a mark and words; the color repeats them. */
export function State({ of: [mark, words] }: { of: StateWords }) {
  return (
    <span class={`state ${mark === "wait" ? "look" : mark}`}>
      <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
        {shapes[mark]}
      </svg>
      {words}
    </span>
  );
}

interface BarProps {
  value: number;
  limit: number;
  /** What the limit is, with its number and unit. */
  limitWords: string;
  valueWords: string;
}

/** A value above its limit as a bar, whose red part is the excess. Its words are below it. */
export function LimitBar({ value, limit, limitWords, valueWords }: BarProps) {
  if (!(value > limit && limit > 0)) return null;
  const at = (100 * limit) / value;
  return (
    <figure class="limit-bar">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect {...paintOf("transfer")} width={at} height="10" stroke-width="0" />
        <rect fill="var(--wrong)" x={at} width={100 - at} height="10" />
      </svg>
      <figcaption class="line">
        <span>{limitWords}</span>
        <strong>{valueWords}</strong>
      </figcaption>
    </figure>
  );
}

/** The paint of a part of a chart. Parts that are partly unknown are hatched. */
const paintOf = (color: string, isHatched = false) => ({
  fill: isHatched ? "none" : `var(--${color})`,
  stroke: `var(--${isHatched ? color : "edge"})`,
  "stroke-width": isHatched ? 1 : 0.5,
});

/** The parts of charts in words, with their paint. */
const parts = {
  cash: ["cash", paintOf("cash")],
  unclear: ["unclear, may be cash", paintOf("cash", true)],
  card: ["card", paintOf("card")],
  transfer: ["bank transfer or check", paintOf("transfer")],
  other: ["everything else", paintOf("transfer")],
  deposit: ["cash deposit", paintOf("deposit")],
  unexplained: ["deposit that no sale explains", paintOf("wrong")],
  missing: ["incomplete day", paintOf("edge", true)],
} as const;

/** The meanings of a chart's shapes. */
export function Legend({ of }: { of: readonly (keyof typeof parts)[] }) {
  return (
    <ul class="list legend">
      {of.map((part) => (
        <li key={part}>
          <svg viewBox="0 0 16 12" aria-hidden="true" {...parts[part][1]}>
            <rect x=".5" y=".5" width="15" height="11" />
            {parts[part][1].fill === "none" && <path d="M1 11 11 1M6 11 15 2M1 6 6 1M11 11 15 7" />}
          </svg>
          {parts[part][0]}
        </li>
      ))}
    </ul>
  );
}

const [step, width, height] = [12.5, 9, 24];

/** The sales of up to seven days as columns, the last day at the right. The lower part of a column is cash. */
export function Spark({ days, name }: { days: Business["sales_days"]; name: string }) {
  const shown = days.toReversed();
  const most = Math.max(1, ...shown.map(({ total_paid, complete }) => (complete ? total_paid : 0)));
  const heightOf = (cents: number) => (Math.max(0, cents) / most) * height;
  const words = shown.map(
    ({ date, total_paid, complete }) => `${formatShortDay(date)} ${complete ? dollars(total_paid, 0) : "incomplete"}`,
  );
  return (
    <svg class="spark" viewBox="0 0 86 27" role="img" aria-label={`Sales of ${name} by day: ${words.join(", ")}`}>
      {shown.map(({ date, total_paid, cash_sales_low, complete }, i) => {
        const [x, sales, cash] = [i * step, heightOf(total_paid), heightOf(Math.min(cash_sales_low, total_paid))];
        return complete ? (
          <g key={date}>
            <rect {...paintOf("transfer")} x={x} y={26 - sales} width={width} height={sales} />
            <rect {...paintOf("cash")} x={x} y={26 - cash} width={width} height={cash} />
          </g>
        ) : (
          <g key={date} {...paintOf("edge", true)} transform={`translate(${x + 0.5} 0)`}>
            <path d="M0 9 8 2M0 17 8 10M0 25 8 18" />
            <rect x="0" y="2" width="8" height="23.5" />
          </g>
        );
      })}
    </svg>
  );
}
