import type { SandboxControls } from "../../store/sandboxControls.ts";
import { PosError, type PosFailure } from "../connector.ts";

/** Callers wait for the consequences of a failure, so retries follow soon. */
const maxPauseMs = 10_000;

/** @throws PosError if a caller makes the POS fail now */
export function failAsControlled({ rejectsCredentials, failure }: SandboxControls, now: Date): void {
  if (rejectsCredentials) throw new PosError("credentialsRefused", { maxPauseMs });
  if (!failure || Date.parse(failure.until) <= now.getTime()) return;
  const code = failure.error.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  throw new PosError(code as PosFailure, { maxPauseMs });
}
