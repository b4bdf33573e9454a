import type { RecordKind } from "../../api/kinds.ts";
import type { Clock } from "../../time/clock.ts";
import type { PullRequest } from "../connector.ts";

/** Milliseconds until the deadline of a pull; negative after it, infinite without one. */
export function remainingMs({ deadline }: Pick<PullRequest<RecordKind>, "deadline">, clock: Clock): number {
  return deadline ? deadline.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY;
}
