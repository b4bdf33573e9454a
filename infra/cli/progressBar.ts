import { SingleBar } from "cli-progress";
import { withEscapes } from "../../shared/text/invisible.ts";
import type { Terminal } from "./runProgram.ts";
import { cut } from "./terminalOutput.ts";

/** The state of a task. */
interface Progress {
  done: number;
  /** in the unit of `done`; 0 while it is unknown, then no bar is shown */
  total: number;
  /** follows the bar, such as `12 of 340 CRBs` */
  text: string;
}

/** Its disposal ends the line, which `stop` does earlier; both may happen repeatedly. */
export interface ProgressBar extends Disposable {
  show(progress: Progress): void;
  stop(): void;
}

const barWidth = 24;

/**
 * Starts a line on a terminal that shows the progress of a task; elsewhere, nothing is printed. The line changes no mode
 * of the terminal, such as the cursor or the wrapping of lines. So nothing has to be restored when a signal ends or
 * suspends the program, not even after SIGKILL.
 *
 * @param isCleared whether `stop` clears the line
 */
export function startProgressBar(
  stdout: Terminal["stdout"],
  start: Progress,
  { isCleared = false }: { isCleared?: boolean } = {},
): ProgressBar {
  const barOf = (show: ProgressBar["show"], stop: () => void) => ({ show, stop, [Symbol.dispose]: stop });
  if (!stdout.isTTY)
    return barOf(
      () => undefined,
      () => undefined,
    );
  const bar = new SingleBar({
    stream: stdout,
    // `true` leaves the terminal's own setting as it is.
    linewrap: true,
    clearOnComplete: isCleared,
    format: (_options, { maxWidth }, { done, total, text }) => {
      const filled = "=".repeat(Math.floor(barWidth * Math.min(1, done / total)) || 0);
      const graph = total > 0 ? `${filled.padEnd(barWidth, "-")} ` : "";
      // A character in the last column would make some terminals begin the next line.
      return cut(withEscapes(`  ${graph}${text}`), maxWidth - 1);
    },
  });
  bar.start(1, 0, start);
  return barOf(
    (progress) => bar.update(progress),
    () => bar.stop(),
  );
}
