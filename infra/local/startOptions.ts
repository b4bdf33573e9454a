import { Option } from "@commander-js/extra-typings";
import { dataOption, integer, newProgram } from "../cli/program.ts";

/** The command `npm start`. @param run called with the options */
export const startCommand = (run: (options: StartOptions) => Promise<void>) =>
  newProgram("npm start --", "Runs the whole service on this machine, with demo data.")
    .addOption(
      new Option("--stage <NAME>", "local, or mock: the same example response to every call, without data")
        .choices(["local", "mock"] as const)
        .default("local" as const),
    )
    .option("--port <N>", "port on 127.0.0.1; 0 chooses a free one", integer("--port", 0, 65_535), 3_000)
    .addOption(dataOption())
    .option("--fresh", "empties the data directory first")
    .option(
      "--replicate-every <SECONDS>",
      "seconds from one replication to the next; 0 for none after the first",
      // At most a day, because a timer of Node cannot wait for more than 24 days.
      integer("--replicate-every", 0, 86_400),
      60,
    )
    .option("--limits", "responds with 429 and 413 beyond the limits of a stage on AWS, to test a client")
    .option("--verbose", "prints a line for each call, even if the output is not a terminal")
    .action(({ fresh = false, limits = false, verbose = false, ...options }) =>
      run({ ...options, fresh, limits, verbose }),
    );

export interface StartOptions {
  stage: "local" | "mock";
  port: number;
  data: string;
  fresh: boolean;
  /** seconds */
  replicateEvery: number;
  limits: boolean;
  verbose: boolean;
}
