import { type ParseArgsConfig, parseArgs } from "node:util";
import { StageError } from "./stageError.ts";

/**
 * The options and positionals that a program was given.
 *
 * @param hint where its help is, such as `See npm run smoke -- --help`
 * @param config as for `parseArgs`
 * @throws StageError, one line that names the option, for what the program does not take
 */
export function optionsOf<const Config extends ParseArgsConfig>(
  parameters: readonly string[],
  hint: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs({ ...config, args: [...parameters] }) as ReturnType<typeof parseArgs<Config>>;
  } catch (error) {
    // Node explains at length; the first sentence names the option.
    const [reason] = (error as Error).message.split(/\. |\n/);
    throw new StageError(`${reason?.replace(/\.$/, "")}. ${hint}`);
  }
}
