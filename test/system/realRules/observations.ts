import type { RawItem } from "../../../shared/store/client.ts";
import type { ItemName } from "./items.ts";

/** An item that a committed write has changed; undefined where it was deleted. */
export interface Changed extends ItemName {
  item: RawItem | undefined;
}

/** What the layer sees and callers do not. Times are epoch milliseconds of virtual time, unless another clock is named. */
export type Observation =
  /** not reported where nothing lags, since the layer then does not keep what items become */
  | {
      type: "committed";
      at: number;
      /** who sent it, undefined outside of actors, and the time by that actor's own clock */
      actor: string | undefined;
      actorTime: number;
      changes: readonly Changed[];
    }
  /** the condition of a write, or of a check, did not hold */
  | { type: "unmet"; write: ItemName }
  /** a consistent read by keys has shown an item that another node still shows in an earlier state */
  | { type: "ahead"; item: ItemName; attributes: readonly string[] };

export type Observe = (observation: Observation) => void;
