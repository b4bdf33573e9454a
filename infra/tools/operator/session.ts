import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Terminal } from "../../cli/runProgram.ts";
import type { Line } from "../../cli/terminalOutput.ts";
import type { Target } from "./target.ts";

/** The properties of the output for which tables are laid out. */
export type Screen = Pick<Terminal["stdout"], "isTTY" | "columns">;

/** The context of a command. */
export interface Session {
  /** The stage that the options name, opened on first use, in a command's action. */
  readonly target: Target;
  /**
   * Requests confirmation of a removal; --yes confirms without a question.
   *
   * @throws StageError if the answer is no, or stdin is not a terminal
   */
  confirm(question: string): Promise<void>;
  /** Reads a secret from the first line of stdin. The caller must never write the secret anywhere. */
  readSecret(prompt: string): Promise<string>;
  /** Writes lines to stdout. */
  print(...lines: Line[]): void;
  /** The stream of `print`. */
  stdout: Terminal["stdout"];
  /** How tables fit the output: into the terminal's width, or with --wide as in a pipe. */
  readonly screen: Screen;
}

/** Creates one command of the operator's program. */
export type MakeCommand = (session: Session) => CommandUnknownOpts;
