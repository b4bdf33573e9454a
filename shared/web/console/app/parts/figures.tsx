import type { ComponentChildren } from "preact";
import type { OperationId } from "../operations.ts";
import { ApiLink } from "./apiLink.tsx";

/** A row of at most four figures. */
export function Figures({ children }: { children: ComponentChildren }) {
  return <dl class="figures">{children}</dl>;
}

interface FigureProps {
  /** With the day or period, such as `Sales, Nov 26`. */
  label: string;
  /** A value, or a range such as `$2,842 to $3,129`. */
  value: string;
  /** What the figure includes and whether it is complete, such as `27 complete days, 1 incomplete`. */
  completeness: string;
  operation: OperationId;
}

/** A figure with its date, its completeness and its operation. */
export function Figure({ label, value, completeness, operation }: FigureProps) {
  return (
    <div>
      <dt>
        {label} <ApiLink operation={operation} />
      </dt>
      <dd>{value}</dd>
      <dd>{completeness}</dd>
    </div>
  );
}
