import { resolve } from "node:path";
import { optionsOf } from "./optionsOf.ts";
import { StageError } from "./stageError.ts";

export const usage = `Runs the whole service on this machine, with demo data.

  npm start -- [options]

  --stage NAME             local, the default, or mock: fixed example answers to every call, without data
  --port N                 port of 127.0.0.1, default 3000; 0 takes any free one
  --data DIR               where everything is kept, default .local
  --fresh                  empties DIR first
  --replicate-every SECONDS  from one replication to the next, default 60; 0 for none after the first
  --limits                 answers 429 as the stage on AWS does beyond its limits, to try a client with
  --verbose                a line for each call, also when the output is no terminal
  --help                   shows this
`;

const stages = ["local", "mock"] as const;

export interface StartOptions {
  stage: (typeof stages)[number];
  port: number;
  data: string;
  fresh: boolean;
  replicateEvery: number;
  limits: boolean;
  verbose: boolean;
  help: boolean;
}

/**
 * The options of `npm start`.
 *
 * @throws StageError for an unknown option or a bad value
 */
export function parseStartOptions(parameters: readonly string[]): StartOptions {
  const values = parse(parameters);
  return {
    stage: stages.find((name) => name === values.stage) ?? fail(`--stage must be one of ${stages.join(", ")}.`),
    port: integer("--port", values.port, 65_535),
    data: resolve(values.data || fail("--data must name a directory.")),
    fresh: values.fresh,
    // A day: timers of Node end at 24 days, and nobody waits that long.
    replicateEvery: integer("--replicate-every", values["replicate-every"], 86_400),
    limits: values.limits,
    verbose: values.verbose,
    help: values.help,
  };
}

function parse(parameters: readonly string[]) {
  return optionsOf(parameters, "See npm start -- --help", {
    options: {
      stage: { type: "string", default: "local" },
      port: { type: "string", default: "3000" },
      data: { type: "string", default: ".local" },
      fresh: { type: "boolean", default: false },
      "replicate-every": { type: "string", default: "60" },
      limits: { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }).values;
}

function integer(option: string, text: string, most: number): number {
  return /^\d{1,5}$/.test(text) && Number(text) <= most
    ? Number(text)
    : fail(`${option} must be an integer from 0 to ${most}.`);
}

function fail(line: string): never {
  throw new StageError(line);
}
