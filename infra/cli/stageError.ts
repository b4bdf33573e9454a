/** An error that the person at the terminal can correct: one line, without a stack. */
export class StageError extends Error {
  override readonly name = "StageError";
}
