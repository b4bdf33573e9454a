import { SQSClient } from "@aws-sdk/client-sqs";
import { Argument, Option } from "@commander-js/extra-typings";
import { integer, newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { writeJson } from "../../../local/prettyJson.ts";
import {
  countDeadLetters,
  type DeadLetter,
  type DeadLetterCount,
  type DeadLetterQueue,
  deadLetterQueues,
  deadLettersUrl,
  errorQuery,
  readDeadLetters,
} from "../deadLetters.ts";
import type { MakeCommand } from "../session.ts";
import { type Columns, jsonOption, printList } from "../table.ts";

const queues = Object.keys(deadLetterQueues) as DeadLetterQueue[];

/** The messages of each queue among which `list` finds the oldest: SQS returns them in any order. */
const maxListed = 100;

export const listDeadLetters: MakeCommand = (session) =>
  newProgram(
    "list",
    "Lists the dead-letter queues with the number of messages and the age of the oldest. Deletes none.",
  )
    .addOption(jsonOption())
    .action(async ({ json }) => {
      const { stage } = session.target;
      const rows: ListedQueue[] = [];
      const client = new SQSClient({});
      for (const queue of queues) {
        const url = deadLettersUrl(stage, queue);
        const count = await countDeadLetters(client, queue, url);
        const [oldest] = count.messages > 0 ? await readDeadLetters(client, queue, url, maxListed) : [];
        rows.push({ ...count, oldest_sent_at: oldest?.sent_at ?? null });
      }
      printList(session, rows, queueColumns, { json, none: "" });
    });

type ListedQueue = DeadLetterCount & { oldest_sent_at: string | null };

const queueColumns: Columns<ListedQueue> = {
  queue: (row) => row.queue,
  messages: (row) => (row.messages > 0 ? { style: "red", text: String(row.messages) } : row.messages),
  age: (row) => row.oldest_sent_at && ageOf(row.oldest_sent_at),
  arn: (row) => row.arn,
};

export const showDeadLetters: MakeCommand = (session) =>
  newProgram(
    "show",
    "Shows messages of a dead-letter queue, oldest first: ids, kinds and times, and where their errors are. Deletes none.",
  )
    .addArgument(new Argument("<QUEUE>", `one of ${queues.join(", ")}`).argParser(queueOf))
    .addOption(
      new Option("--limit <N>", "the number of messages, 1 to 1000")
        .default(maxListed)
        .argParser(integer("--limit", 1, 1_000)),
    )
    .addOption(jsonOption())
    .action(async (queue, { limit, json }) => {
      const { stage } = session.target;
      const url = deadLettersUrl(stage, queue);
      const letters = await readDeadLetters(new SQSClient({}), queue, url, limit);
      const errors = errorQuery(stage, queue, letters);
      if (json) {
        writeJson(session.stdout, { messages: letters, errors });
        return;
      }
      printList(session, letters, letterColumns, { json, none: `No dead letters are visible in ${queue}.` });
      if (letters.length === 0) return;
      session.print("Their errors: run this on CloudWatch Logs Insights,", `on ${errors.log_groups}:`, errors.query);
    });

const letterColumns: Columns<DeadLetter> = {
  message_id: (row) => row.message_id,
  age: (row) => ageOf(row.sent_at),
  sent_at: (row) => row.sent_at,
  body: (row) =>
    Object.entries(row.body)
      .map(([name, value]) => `${name}=${value}`)
      .join(" "),
};

/** The time since an instant, in its largest unit. */
function ageOf(instant: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(instant)) / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2 * 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`;
}

function queueOf(text: string): DeadLetterQueue {
  const found = queues.find((each) => each === text);
  if (!found) throw new StageError(`QUEUE must be one of ${queues.join(", ")}.`);
  return found;
}
