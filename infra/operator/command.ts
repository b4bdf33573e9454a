import type { Terminal } from "../local/runProgram.ts";
import type { Line } from "../local/write.ts";
import type { Target } from "./target.ts";

/** What a command has to work with. */
export interface Session {
  target: Target;
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

/** One command of the operator's program. */
export interface Command {
  /** Its words, such as "credential issue". */
  name: string;
  /** What must follow, in this order; names ending in _ID are uuids, those in _ID|- uuids or a dash. */
  parameters: readonly string[];
  /** Options by name, with their value if they have one, and what they mean; `many` may be given more than once. */
  options?: Readonly<Record<string, { value?: string; meaning: string; many?: true }>>;
  summary: string;
  run(session: Session, parameters: readonly string[], options: Options): Promise<void>;
}

/** The values of a command's options, by name; of one without a value none, where it was given. */
export type Options = Readonly<Record<string, readonly string[] | undefined>>;
