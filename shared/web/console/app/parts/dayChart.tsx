import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { cardsOf, cashOf, type Day, isComplete, knownCashOf, lacksPayment, lacksTotal } from "../days.ts";
import { inDollars, rangeInDollars } from "../format.ts";

const names = ["cash", "card", "transfer", "deposit", "edge", "faint", "line", "wrong", "paper"] as const;
type Colors = Readonly<Record<(typeof names)[number], string>>;

/** The colors of the page in the present scheme. A canvas does not know the page's variables. */
function readColors(place: HTMLElement): Colors {
  const probe = place.appendChild(document.createElement("span"));
  const entries = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(entries);
}

/** A pattern of diagonal lines: an uncertain part is never filled. */
function hatch(color: string, isRising: boolean): CanvasPattern | string {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const context = tile.getContext("2d");
  if (!context) return color;
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(0, isRising ? 6 : 0);
  context.lineTo(6, isRising ? 0 : 6);
  context.stroke();
  return context.createPattern(tile, "repeat") ?? color;
}

const bars = uPlot.paths.bars?.({ size: [0.62, 40] });
const points = { show: false };

const column = (fill: string | CanvasPattern, stroke?: string): uPlot.Series => ({
  fill: () => fill as string,
  ...(stroke && { stroke, width: 0.75 }),
  ...(bars && { paths: bars }),
  points,
});

/** Whether the sums of a day are whole. All others are hatched. */
const isWhole = (day: Day): boolean => isComplete(day) && !lacksPayment(day);
const isUnexplained = ({ compared }: Day): boolean => compared?.status === "deposits_unexplained";

/** The panels: sales by means of payment, deposits, and the cash at the business as a band. @param days oldest first */
function panelsOf(days: readonly Day[], colors: Colors) {
  /** The dollars of each day; null for days without an amount. */
  const row = (centsOf: (day: Day) => number | null | undefined) =>
    days.map((day) => {
      const cents = centsOf(day) ?? null;
      return cents === null ? null : cents / 100;
    });
  const whole = (centsOf: (day: Day) => number) => row((day) => (isWhole(day) ? centsOf(day) : null));
  const salesOf = ({ sales }: Day) => sales?.total_paid ?? 0;
  const depositedOf = ({ compared }: Day) => compared?.cash_deposited ?? 0;
  const { cash, card, transfer, deposit, edge, wrong, paper } = colors;
  const edgeOfBand = { stroke: cash, width: 1.75, points };
  return [
    {
      title: "Sales a day",
      height: 210,
      // Columns of sums: each one covers the lower part of the one before.
      rows: [
        whole(salesOf),
        whole((day) => cashOf(day)[1] + cardsOf(day)),
        whole((day) => cashOf(day)[1]),
        whole((day) => cashOf(day)[1]),
        whole((day) => cashOf(day)[0]),
        row((day) => (isWhole(day) ? null : salesOf(day))),
      ],
      series: [
        column(transfer, edge),
        column(card),
        column(paper),
        column(hatch(cash, true), cash),
        column(cash),
        column(hatch(edge, false), edge),
      ],
    },
    {
      title: "Cash deposited",
      height: 120,
      rows: [
        row((day) => (isUnexplained(day) ? null : depositedOf(day))),
        row((day) => (isUnexplained(day) ? depositedOf(day) : null)),
      ],
      series: [column(deposit), column(wrong)],
    },
    {
      title: "Cash at the business, at least to at most",
      height: 150,
      rows: [row(({ compared }) => compared?.balance_high), row(({ compared }) => compared?.balance_low)],
      series: [edgeOfBand, edgeOfBand],
      bands: [{ series: [1, 2] as [number, number], fill: hatch(cash, true) as string }],
    },
  ];
}

/** A short amount for an axis, such as `$8K`. */
const shortAmount = (dollars: number): string =>
  dollars.toLocaleString(undefined, { style: "currency", currency: "USD", notation: "compact" }).replace("-", "−");

function draw(place: HTMLElement, days: readonly Day[]): uPlot[] {
  const colors = readColors(place);
  const axis = { stroke: colors.faint, grid: { stroke: colors.line, width: 1 }, ticks: { show: false } };
  return panelsOf(days, colors).map(({ title, height, rows, series, bands }) => {
    const label = place.appendChild(document.createElement("p"));
    label.textContent = title;
    return new uPlot(
      {
        ...{ width: place.clientWidth, height, series: [{}, ...series], ...(bands && { bands }) },
        // The label of the last day is wider than its column.
        padding: [8, 24, 0, 0],
        scales: {
          x: { time: false, range: [-0.6, days.length - 0.4] },
          y: { range: (_, min, max) => [Math.min(0, min) * 1.05, Math.max(1, max) * 1.1] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 28,
            splits: () => days.map((_, i) => i),
            values: (chart, splits) => {
              const every = Math.max(1, Math.ceil((splits.length * 62) / chart.width));
              return splits.map((i) => {
                const day = days[i];
                return day && (days.length - 1 - i) % every === 0 ? formatShortDay(day.date) : "";
              });
            },
          },
          { ...axis, size: 56, values: (_, splits) => splits.map(shortAmount) },
        ],
        legend: { show: false },
        cursor: { show: false },
      },
      [days.map((_, i) => i), ...rows],
      place,
    );
  });
}

/** The values of a day in words. */
function wordsOf(day: Day): string {
  const { balance_low: low = null, balance_high: high = null, cash_deposited = 0 } = day.compared ?? {};
  const total = day.sales?.total_paid ?? 0;
  const paid = rangeInDollars(total, lacksTotal(day) ? undefined : total);
  const [least, most] = knownCashOf(day);
  const soFar = day.sales ? `incomplete, ${paid} so far` : "sales not known";
  return [
    formatShortDay(day.date),
    least === undefined ? soFar : `sales ${paid}, cash ${rangeInDollars(least, most)}`,
    `deposited ${inDollars(cash_deposited)}`,
    low === null || high === null ? "cash at the business not known" : `at the business ${rangeInDollars(low, high)}`,
  ].join("; ");
}

/**
 * Sales, deposits and cash by day. The table with the same data is below it. A slider names the values of a day.
 *
 * @param days newest first
 */
export function DayChart({ days: newestFirst, title }: { days: readonly Day[]; title: string }) {
  const days = useMemo(() => newestFirst.toReversed(), [newestFirst]);
  const place = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(days.length - 1);
  useEffect(() => {
    const target = place.current;
    if (!target) return undefined;
    let charts: uPlot[] = [];
    let width = 0;
    const redraw = () => {
      for (const chart of charts) chart.destroy();
      target.replaceChildren();
      charts = draw(target, days);
      width = target.clientWidth;
    };
    const resized = new ResizeObserver(() => target.clientWidth !== width && redraw());
    resized.observe(target);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", redraw);
    redraw();
    return () => {
      resized.disconnect();
      scheme.removeEventListener("change", redraw);
      for (const chart of charts) chart.destroy();
      target.replaceChildren();
    };
  }, [days]);
  const day = days[Math.min(chosen, days.length - 1)];
  return (
    <>
      <div class="day-chart" ref={place} role="img" aria-label={`${title}. The table below has every figure.`} />
      {day && (
        <div>
          <label for="chart-day">Day</label>
          <input
            id="chart-day"
            type="range"
            min={0}
            max={days.length - 1}
            value={chosen}
            aria-valuetext={wordsOf(day)}
            onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
          />
          <output for="chart-day">{wordsOf(day)}</output>
        </div>
      )}
    </>
  );
}
