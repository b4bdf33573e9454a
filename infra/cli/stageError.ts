/** Why the local stage cannot start or be reached: one line for the person at the terminal, who needs no stack. */
export class StageError extends Error {
  override readonly name = "StageError";
}
