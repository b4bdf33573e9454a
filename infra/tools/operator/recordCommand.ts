import { randomUUID } from "node:crypto";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { UUID } from "../../../shared/api/patterns.ts";
import { operatorFolder } from "../../../shared/domain/accessLog/accessLines.ts";
import { pathOf } from "../../cli/program.ts";
import { CrbOption, RecordArgument } from "./arguments.ts";
import type { Target } from "./target.ts";

/**
 * Writes a command and the person who runs it to the access log. It must resolve before the command reads records. The
 * entry has ids from the command's arguments, and no other text: an argument may be a secret or a personal value.
 *
 * @throws StageError if the entry is not stored, or the person's identity is unknown
 */
export async function recordCommand(command: CommandUnknownOpts, target: Target): Promise<void> {
  const arn = await target.personArn();
  const [program = "", ...names] = pathOf(command);
  await target
    .accessLog()
    .append({
      time: new Date().toISOString(),
      request_id: randomUUID(),
      extended_request_id: null,
      operation_id: [program.replace(/^npm run (\w+) --$/, "$1"), ...names].join(" "),
      client_id: arn,
      sub: null,
      owner: { kind: "operator", id: arn },
      sp_id: operatorFolder,
      ...idsOf(command),
      crb_ids: null,
      kinds: null,
      records: null,
      status: 200,
      source: null,
    });
}

/** The CRB among a command's arguments and options, and the last other id among its arguments. */
function idsOf(command: CommandUnknownOpts): { crb_id: string | null; record_id: string | null } {
  const ids = command.registeredArguments.flatMap((argument, i) => {
    const value: unknown = command.processedArgs[i];
    const isCrb = argument instanceof RecordArgument && argument.kind === "crb";
    return typeof value === "string" && UUID.test(value) ? [{ value: value.toLowerCase(), isCrb }] : [];
  });
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (option instanceof CrbOption && typeof value === "string" && UUID.test(value))
      ids.push({ value: value.toLowerCase(), isCrb: true });
  }
  return {
    crb_id: ids.find(({ isCrb }) => isCrb)?.value ?? null,
    record_id: ids.findLast(({ isCrb }) => !isCrb)?.value ?? null,
  };
}
