import type { Writable } from "node:stream";
import { Worker } from "node:worker_threads";

/** One call of a function. `file` is its path below functions/ without the extension, such as "customers/getCustomer". */
export interface Invocation {
  id: number;
  file: string;
  /** URL of the module that exports its handler. */
  module: string;
  event: unknown;
  requestId: string;
}

export type Answer = { id: number; result: unknown } | { id: number; error: unknown };

interface Call {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs functions on this machine, in a thread with its own environment. The functions' output goes to a log instead of
 * the terminal. A crash does not affect other hosts, and replication in one host does not block calls in another. A
 * function is loaded at its first call and stays loaded, as in a warm Lambda.
 */
export class FunctionHost {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #log: Writable;
  readonly #moduleOf: (file: string) => string;
  readonly #calls = new Map<number, Call>();
  #thread: Worker | undefined;
  #lastId = 0;
  #stopped = false;

  /**
   * @param environment process.env of the functions
   * @param moduleOf returns the URL of a function's module; if absent, the function's source file is loaded
   */
  constructor(environment: NodeJS.ProcessEnv, log: Writable, moduleOf = sourceOf) {
    this.#environment = environment;
    this.#log = log;
    this.#moduleOf = moduleOf;
  }

  /** Calls the function with an event. Returns its result, or throws its error. */
  async invoke(file: string, event: unknown, requestId: string): Promise<unknown> {
    if (this.#stopped) throw stopped();
    this.#thread ??= this.#start();
    const id = ++this.#lastId;
    const invocation: Invocation = { id, file, module: this.#moduleOf(file), event, requestId };
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#thread?.postMessage(invocation);
    });
  }

  /** Ends the thread permanently and rejects the calls in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL("./functionThread.ts", import.meta.url), {
      env: this.#environment,
      stdout: true,
      stderr: true,
    });
    thread.stdout.pipe(this.#log, { end: false });
    thread.stderr.pipe(this.#log, { end: false });
    thread.on("message", (answer: Answer) => {
      const call = this.#calls.get(answer.id);
      this.#calls.delete(answer.id);
      if ("error" in answer) call?.reject(answer.error);
      else call?.resolve(answer.result);
    });
    let cause: unknown = stopped();
    thread.on("error", (error) => {
      cause = error;
    });
    thread.on("exit", () => {
      this.#thread = undefined;
      for (const call of this.#calls.values()) call.reject(cause);
      this.#calls.clear();
    });
    return thread;
  }
}

function stopped(): Error {
  return new Error("The function was stopped");
}

const sourceOf = (file: string): string => new URL(`../../functions/${file}.ts`, import.meta.url).href;
