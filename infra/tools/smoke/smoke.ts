import { dataOption, each, newProgram, runCommander, stageOption } from "../../cli/program.ts";
import { runProgram, type Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { type Line, write } from "../../cli/terminalOutput.ts";
import type { StageName } from "../../stages/stages.ts";
import { openTarget, requireStoredFormat } from "../operator/target.ts";
import { facts, title } from "../operator/terminal.ts";
import { Caller } from "./caller.ts";
import { alarm } from "./checks/alarm.ts";
import { documents } from "./checks/documents.ts";
import { exports } from "./checks/exports.ts";
import { functions } from "./checks/functions.ts";
import { licenses } from "./checks/licenses.ts";
import { mail } from "./checks/mail.ts";
import { reading } from "./checks/reading.ts";
import { rejections, strangers } from "./checks/rejections.ts";
import { replication } from "./checks/replication.ts";
import { tokens } from "./checks/tokens.ts";
import { findLeftoverFixtures, makeOwn, removeOwn, type SmokeFixture } from "./smokeFixture.ts";
import { type Check, type Finding, Trial, type Tried } from "./trial.ts";

/** All checks, `functions` first: the other checks would start instances, and `functions` needs a cold start. */
const checks: readonly Check[] = [
  functions,
  strangers,
  tokens,
  rejections,
  reading,
  documents,
  licenses,
  mail,
  replication,
  exports,
  alarm,
];

/** Milliseconds until every call of a killed run has ended: the gateway ends each call after 29 s. */
const settledAfterKill = 60_000;

/** The duration of a removal, which waits for a running replication to yield. */
const removalTime = "up to two minutes for each CRB";

/** Tests the stage that the options name. @throws StageError if a result differs, or the run was interrupted */
export async function smoke(
  parameters: readonly string[],
  terminal: Terminal,
  interruption = interrupted(),
): Promise<void> {
  const program = newProgram(
    "npm run smoke --",
    "Tests a stage from the outside: creates its own service provider and CRBs, compares the responses with the guides, shows the differences, and removes the data that it created (docs/operations/trying-a-stage.md). Run it only once at a time for each stage.",
  )
    .addOption(stageOption())
    .addOption(dataOption())
    .option("--url <URL>", "address of the API, if it differs from the stage's")
    .option("--only <CHECK>", "checks whose names begin with this; can be repeated; default: all", each)
    .option("--without-data", "only checks that neither read nor write the stage's data")
    .addHelpText("after", `\nChecks:\n${checks.map(({ name, page }) => `  ${name} (${page})`).join("\n")}`)
    .action((options) => tryStage(options, terminal, interruption));
  await runCommander(program, parameters, terminal);
}

async function tryStage(
  options: {
    stage: string;
    data: string;
    url?: string | undefined;
    only?: string[] | undefined;
    withoutData?: true | undefined;
  },
  terminal: Terminal,
  interruption: AbortSignal,
): Promise<void> {
  const chosen = chosenChecks(options.only, options.withoutData);
  const target = openTarget(options);
  const stage = options.stage as StageName;
  try {
    const baseUrl = options.url ?? target.local?.endpoints.api ?? process.env.BASE_URL;
    if (!baseUrl) throw new StageError(`Set BASE_URL: .deployed/${stage}.env has it, with the stage's other names.`);
    const url = baseUrl.replace(/\/$/, "");
    if (options.withoutData) {
      const api = new Caller(url, null);
      const tried: Tried = {
        ...{ stage, target, api, signal: interruption },
        get own(): SmokeFixture {
          throw new Error("This check needs a service provider: it cannot run with --without-data.");
        },
      };
      return await tryAll(tried, chosen, terminal);
    }
    await requireStoredFormat(target);
    const stores = { table: target.table, bucket: target.documents() };
    const showRemoved = (crb: number, all: number) => write(terminal.stdout, `  removed CRB ${crb} of ${all}`);
    for (const spId of await findLeftoverFixtures(stores)) {
      write(terminal.stdout, `Removing the data of an earlier run (${spId}), ${removalTime} …`);
      await removeOwn(stores, spId, { settledAfter: settledAfterKill, removed: showRemoved });
    }
    const own = await makeOwn(stores);
    try {
      const api = new Caller(url, own.key);
      await tryAll({ stage, target, api, own, signal: interruption }, chosen, terminal);
    } finally {
      write(terminal.stdout, `Removing the data of this run, ${removalTime} …`);
      await removeOwn(stores, own.spId, { removed: showRemoved });
    }
  } finally {
    target.close();
  }
}

async function tryAll(tried: Tried, chosen: readonly Check[], { stdout }: Terminal): Promise<void> {
  write(stdout, `Stage ${tried.stage}, ${tried.api.baseUrl}`);
  const found: (Finding & { check: Check })[] = [];
  for (const check of chosen) {
    if (tried.signal.aborted) break;
    const reason = check.skipReason?.(tried);
    if (reason !== undefined) {
      write(stdout, [{ style: "yellow", text: "left out" }, `  ${check.name}: ${reason}`]);
      continue;
    }
    const began = performance.now();
    if (stdout.isTTY) write(stdout, `trying    ${check.name} …`);
    const { differences, notes } = await tryOne(tried, check);
    // If the person interrupts a waiting check, the check's result does not count as a difference.
    if (tried.signal.aborted) break;
    const took = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
    const outcome =
      differences.length > 0
        ? ({ style: "red", text: "differs " } as const)
        : ({ style: "green", text: "ok      " } as const);
    write(stdout, [outcome, `  ${[`${check.name} (${took})`, ...notes].join("; ")}`]);
    found.push(...differences.map((each) => ({ ...each, check })));
  }
  if (found.length > 0) {
    write(stdout, "", ...found.flatMap(tableRow), "");
    throw new StageError(
      `${found.length} ${found.length === 1 ? "response differs" : "responses differ"} from the guides.`,
    );
  }
  if (tried.signal.aborted) throw new StageError("Interrupted.");
  write(stdout, title("All responses agree with the guides."));
}

/** A difference in three lines, since the actual value may be long. */
const tableRow = ({ check, what, expected, seen }: Finding & { check: Check }): Line[] => [
  title(`${check.name} (${check.page}): ${what}`),
  ...facts({ expected, seen }),
];

async function tryOne(tried: Tried, check: Check): Promise<Trial> {
  const trial = new Trial(tried);
  try {
    await check.run(trial);
  } catch (error) {
    const { message, cause } = error as Error;
    trial.holds(check.name, "the check ends", false, cause instanceof Error ? `${message}: ${cause.message}` : message);
  }
  return trial;
}

function chosenChecks(wanted: readonly string[] = [], withoutData = false): readonly Check[] {
  const known = withoutData ? checks.filter(({ canRunWithoutData }) => canRunWithoutData) : checks;
  const unknown = wanted.find((word) => !known.some(({ name }) => name.startsWith(word)));
  if (unknown !== undefined) {
    throw new StageError(`There is no check ${unknown}. Choose from: ${known.map(({ name }) => name).join("; ")}.`);
  }
  return wanted.length === 0 ? known : known.filter(({ name }) => wanted.some((word) => name.startsWith(word)));
}

/**
 * The first Ctrl-C aborts the signal: the current check ends and everything is removed. The second Ctrl-C ends the
 * program. One Ctrl-C can come twice at once: from the terminal, and from npm, which passes it on.
 */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      firstAt ||= performance.now();
      controller.abort();
      if (performance.now() - firstAt > 1_000) process.exit(130);
    });
  return controller.signal;
}

if (import.meta.main) process.exitCode = await runProgram(smoke, process.argv.slice(2), process);
