import { dollars } from "../money.ts";

/** A range of cents as dollars. A range is never shown as the value in its middle. */
export function Range({ low, high, digits = 2 }: { low: number; high: number; digits?: 0 | 2 }) {
  return (
    <span class="range">
      {dollars(low, digits)}
      {low !== high && (
        <>
          <i> to </i>
          {dollars(high, digits)}
        </>
      )}
    </span>
  );
}
