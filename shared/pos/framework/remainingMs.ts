import type { RecordKind } from "../../api/kinds.ts";
import type { Clock } from "../../time/clock.ts";
import type { PullRequest } from "../connector.ts";

/** Milliseconds until whoever runs a pull must stop, below 0 when that is past; infinite where nobody must. */
export function remainingMs({ deadline }: Pick<PullRequest<RecordKind>, "deadline">, clock: Clock): number {
  return deadline ? deadline.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY;
}
