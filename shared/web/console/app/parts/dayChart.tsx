import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { inDollars, rangeInDollars } from "../money.ts";

/** A day of the chart, in cents. */
export interface ChartDay {
  date: string;
  complete: boolean;
  sales: number;
  cashLow: number;
  cashHigh: number;
  cards: number;
  deposited: number;
  isUnexplained: boolean;
  /** null before the first cash count */
  balanceLow: number | null;
  balanceHigh: number | null;
}

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

/** The panels: sales by means of payment, deposits, and the cash at the business as a band. */
function panelsOf(days: readonly ChartDay[], colors: Colors) {
  const x = days.map((_, i) => i);
  const finished = (amountIn: (day: ChartDay) => number) =>
    days.map((day) => (day.complete ? amountIn(day) / 100 : null));
  const { cash, card, transfer, deposit, edge, wrong } = colors;
  const dollars = (cents: number | null) => (cents === null ? null : cents / 100);
  return [
    {
      title: "Sales a day",
      height: 210,
      // Columns of sums: each one covers the lower part of the one before.
      data: [
        x,
        finished(({ sales }) => sales),
        finished(({ cashHigh, cards }) => cashHigh + cards),
        finished(({ cashHigh }) => cashHigh),
        finished(({ cashLow }) => cashLow),
        days.map((day) => (day.complete ? null : day.sales / 100)),
      ],
      series: [
        column(transfer, edge),
        column(card),
        column(hatch(cash, true), cash),
        column(cash),
        column(hatch(edge, false), edge),
      ],
    },
    {
      title: "Cash deposited",
      height: 120,
      data: [
        x,
        days.map((day) => (day.isUnexplained ? null : day.deposited / 100)),
        days.map((day) => (day.isUnexplained ? day.deposited / 100 : null)),
      ],
      series: [column(deposit), column(wrong)],
    },
    {
      title: "Cash at the business, at least to at most",
      height: 150,
      data: [x, days.map(({ balanceHigh }) => dollars(balanceHigh)), days.map(({ balanceLow }) => dollars(balanceLow))],
      series: [
        { stroke: cash, width: 1.75, points },
        { stroke: cash, width: 1.75, points },
      ],
      bands: [{ series: [1, 2] as [number, number], fill: hatch(cash, true) as string }],
    },
  ];
}

function draw(place: HTMLElement, days: readonly ChartDay[]): uPlot[] {
  const colors = readColors(place);
  const axis = { stroke: colors.faint, grid: { stroke: colors.line, width: 1 }, ticks: { show: false } };
  return panelsOf(days, colors).map(({ title, height, data, series, bands }) => {
    const label = place.appendChild(document.createElement("p"));
    label.textContent = title;
    return new uPlot(
      {
        ...{ width: place.clientWidth, height, series: [{}, ...series], ...(bands && { bands }) },
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
          { ...axis, size: 60, values: (_, splits) => splits.map((value) => inDollars(value * 100, 0)) },
        ],
        legend: { show: false },
        cursor: { show: false },
      },
      data as uPlot.AlignedData,
      place,
    );
  });
}

/** The values of a day in words. */
const wordsOf = ({ date, complete, sales, deposited, cashLow, cashHigh, balanceLow, balanceHigh }: ChartDay): string =>
  [
    formatShortDay(date),
    complete
      ? `sales ${inDollars(sales)}, cash ${rangeInDollars(cashLow, cashHigh)}`
      : `incomplete, ${inDollars(sales)} so far`,
    `deposited ${inDollars(deposited)}`,
    balanceLow === null || balanceHigh === null
      ? "not counted"
      : `at the business ${rangeInDollars(balanceLow, balanceHigh)}`,
  ].join("; ");

/** Sales, deposits and cash by day. The table with the same data is below it. A slider names the values of a day. */
export function DayChart({ days, title }: { days: readonly ChartDay[]; title: string }) {
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
        <div class="day-cursor">
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
