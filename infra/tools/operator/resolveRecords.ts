import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { UUID } from "../../../shared/api/patterns.ts";
import type { Table } from "../../../shared/store/client.ts";
import { listServiceProviders } from "../../../shared/store/crbs.ts";
import { withEscapes } from "../../../shared/text/invisible.ts";
import { StageError } from "../../cli/stageError.ts";
import { CrbOption, RecordArgument, recordWords } from "./arguments.ts";
import { allCrbs } from "./commands/crbs.ts";

/** A shorter beginning of an id could fit another record than the operator means. */
const minBeginning = 4;

/** At most this many records are named if a text fits several. */
const maxNamed = 5;

/**
 * Replaces each argument or option of a command that names a CRB or a service provider by its whole id. A whole id
 * stays, whether or not a record has it.
 *
 * @param open opens the stage's table; called only if an argument is not a whole id
 * @returns whether an argument or option had no whole id
 * @throws StageError if a text fits no record or several. It does not repeat the text, which may be a secret
 */
export async function resolveRecords(command: CommandUnknownOpts, open: () => Table): Promise<boolean> {
  let isChanged = false;
  const replace = async (kind: RecordArgument["kind"], text: string): Promise<string> => {
    const id = await resolve(open, kind, text);
    isChanged ||= id !== text.toLowerCase();
    return id;
  };
  for (const [i, argument] of command.registeredArguments.entries()) {
    const text = command.processedArgs[i];
    if (!(argument instanceof RecordArgument) || typeof text !== "string") continue;
    if (text === argument.defaultValue) continue;
    command.processedArgs[i] = await replace(argument.kind, text);
  }
  for (const option of command.options) {
    const text = command.getOptionValue(option.attributeName());
    if (!(option instanceof CrbOption) || typeof text !== "string") continue;
    command.setOptionValue(option.attributeName(), await replace(option.kind, text));
  }
  return isChanged;
}

async function resolve(open: () => Table, kind: RecordArgument["kind"], text: string): Promise<string> {
  if (UUID.test(text)) return text.toLowerCase();
  const table = open();
  const providers = await listServiceProviders(table);
  const records =
    kind === "crb" ? (await allCrbs(table, providers)).map(({ crb_id: id, name }) => ({ id, name })) : providers;
  const wanted = text.toLowerCase();
  const isBeginning = wanted.length >= minBeginning && /^[\da-f-]+$/.test(wanted);
  const named = records.filter(({ name }) => name.toLowerCase() === wanted);
  const found = named.length > 0 ? named : records.filter(({ id }) => isBeginning && id.startsWith(wanted));
  const [, words, list] = recordWords[kind];
  if (found.length > 1) {
    const shown = found.slice(0, maxNamed).map(({ id, name }) => `${id} (${withEscapes(name)})`);
    const more = found.length > maxNamed ? [`and ${found.length - maxNamed} more`] : [];
    throw new StageError(`Several ${words}s fit, so use an id: ${[...shown, ...more].join(", ")}.`);
  }
  if (!found[0]) {
    throw new StageError(
      `No ${words} has this name, or an id that begins so (${minBeginning} characters or more): ${list} shows all.`,
    );
  }
  return found[0].id;
}
