import type { RawItem } from "../../../shared/store/client.ts";
import type { ItemName } from "./items.ts";

/** An item after a committed write; undefined if it was deleted. */
export interface Changed extends ItemName {
  item: RawItem | undefined;
}

/**
 * Facts that the layer sees and callers do not. Times are epoch milliseconds of virtual time, unless another clock is
 * named.
 */
export type Observation =
  /** not reported without lag, since the layer then keeps no earlier states */
  | {
      type: "committed";
      at: number;
      /** the sender, undefined outside of actors, and the time by its clock */
      actor: string | undefined;
      actorTime: number;
      changes: readonly Changed[];
    }
  /** the condition of a write or a check failed */
  | { type: "unmet"; write: ItemName }
  /** a consistent read by keys returned an item that another node still shows in an earlier state */
  | { type: "ahead"; item: ItemName; attributes: readonly string[] };

export type Observe = (observation: Observation) => void;
