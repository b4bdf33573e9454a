import { dollars } from "../money.ts";
import type { Output } from "../operations.ts";

type Days = Output<"getOverview">["data"][number]["sales_days"];

const [step, width, height] = [12.5, 9, 24];

/** The sales of up to seven days as columns, the last day at the right. The lower part of a column is cash. */
export function Spark({ days, name }: { days: Days; name: string }) {
  const shown = days.toReversed();
  const most = Math.max(1, ...shown.map(({ total_paid, complete }) => (complete ? total_paid : 0)));
  const heightOf = (cents: number) => (Math.max(0, cents) / most) * height;
  const words = shown.map(({ date, total_paid, complete }) =>
    complete ? `${date} ${dollars(total_paid, 0)}` : `${date} incomplete`,
  );
  return (
    <svg class="spark" viewBox="0 0 86 27" role="img" aria-label={`Sales of ${name} by day: ${words.join(", ")}`}>
      {shown.map(({ date, total_paid, cash_sales_low, complete }, i) => {
        const [x, sales, cash] = [i * step, heightOf(total_paid), heightOf(Math.min(cash_sales_low, total_paid))];
        return complete ? (
          <g key={date}>
            <rect class="c-transfer" x={x} y={26 - sales} width={width} height={sales} />
            <rect class="c-cash" x={x} y={26 - cash} width={width} height={cash} />
          </g>
        ) : (
          <g key={date} transform={`translate(${x + 0.5} 0)`}>
            <path class="hatch-gap" d="M0 9 8 2M0 17 8 10M0 25 8 18" />
            <rect class="c-missing" x="0" y="2" width="8" height="23.5" />
          </g>
        );
      })}
    </svg>
  );
}
