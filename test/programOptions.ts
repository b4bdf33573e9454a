import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * With what a program of the tests was called. Where it is asked for help, or called as it cannot be, it shows its usage and
 * ends, with 0 or 2.
 *
 * @param config its options but `--help`, which each has
 * @param read makes what the program needs of them; undefined where one of them is wrong
 */
export function programOptions<Config extends ParseArgsConfig, Options>(
  usage: string,
  config: Config,
  read: (parsed: ReturnType<typeof parseArgs<Config>>) => Options | undefined,
): Options {
  let isHelp = false;
  try {
    const parsed = parseArgs({ ...config, options: { ...config.options, help: { type: "boolean" } } });
    isHelp = "help" in parsed.values;
    const options = isHelp ? undefined : read(parsed as unknown as ReturnType<typeof parseArgs<Config>>);
    if (options !== undefined) return options;
  } catch (error) {
    if (!(error instanceof TypeError && "code" in error)) throw error;
    process.stderr.write(`${error.message}\n\n`);
  }
  (isHelp ? process.stdout : process.stderr).write(usage);
  process.exit(isHelp ? 0 : 2);
}
