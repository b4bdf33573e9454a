import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Terminal } from "../../cli/runProgram.ts";
import type { Line } from "../../cli/terminalOutput.ts";
import type { Target } from "./target.ts";

/** What a command has to work with. */
export interface Session {
  /** The stage that the options name, opened when a command first asks for it: not before its action. */
  readonly target: Target;
  /**
   * Asks before something is taken away; --yes answers in the person's place.
   *
   * @throws StageError when the answer is no, or there is nobody to ask
   */
  confirm(question: string): Promise<void>;
  /** Reads a secret from the first line of stdin; never to be written anywhere. */
  readSecret(prompt: string): Promise<string>;
  /** Writes lines to stdout. */
  print(...lines: Line[]): void;
  /** What `print` writes to. */
  stdout: Terminal["stdout"];
}

/** Makes one command of the operator's program. */
export type MakeCommand = (session: Session) => CommandUnknownOpts;
