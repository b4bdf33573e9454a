import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs, styleText } from "node:util";
import { SingleBar } from "cli-progress";
import { type LicenseSearchState, licenseSearchStates } from "../../shared/api/enumerations.ts";
import { ImportHeldError, type ImportResult, importRegister } from "../../shared/licenses/importRegister.ts";
import { StageError } from "../local/stageError.ts";
import { registerRows } from "./registerFile.ts";
import { runProgram } from "./runProgram.ts";
import { openTarget } from "./target.ts";

const usage = `Takes a state's register of licences into the table.

  npm run licenses -- import FILE.csv --state CO [options]

  --state STATE     whose register it is: a state, CAN for Canada, NLA for no licensing authority
  --authority NAME  the authority of rows without licensing_authority_name
  --stage NAME      local (the default), or a deployed stage: its TABLE_NAME and AWS_REGION come from the environment
  --data DIR        the local stage's data directory, default .local
  --help            shows this

The first line names the columns: license_identifier (or license_number), licensee,
reported_license_type_description (or license_type), reported_license_status (or status), status_date or issued_at,
and any other field of a licence; businesses and individuals hold names parted by semicolons. What the file leaves out
stays in the table; the same file again changes nothing. Rows that are refused are listed with their lines.
`;

/** More refused rows than these are only counted. */
const mostListed = 50;

async function licenses(parameters: readonly string[]): Promise<void> {
  const { values, positionals } = parse(parameters);
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const [command, file, ...more] = positionals;
  if (command !== "import") {
    throw new StageError(`${command ? `Unknown command ${command}` : "Name a command"}: import. ${hint}`);
  }
  if (!file || more.length > 0) throw new StageError(`Name one CSV file to import. ${hint}`);
  const state = stateOf(values.state);
  const target = openTarget({ stage: values.stage, data: resolve(values.data) });
  const bar = process.stdout.isTTY ? startBar(file) : undefined;
  try {
    const rows = registerRows(file, (bytes) => bar?.update(bytes));
    const progress = (count: number) => bar?.update({ rows: count });
    const result = await importRegister(target.table, { state, authority: values.authority }, rows, { progress });
    bar?.stop();
    print(file, state, result);
  } catch (error) {
    bar?.stop();
    throw error instanceof ImportHeldError ? new StageError(error.message) : error;
  } finally {
    target.close();
  }
}

const hint = "See npm run licenses -- --help";

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        state: { type: "string" },
        authority: { type: "string" },
        stage: { type: "string", default: "local" },
        data: { type: "string", default: ".local" },
        help: { type: "boolean", default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    const [reason] = (error as Error).message.split(/\. |\n/);
    throw new StageError(`${reason?.replace(/\.$/, "")}. ${hint}`);
  }
}

function stateOf(text: string | undefined): LicenseSearchState {
  if (text === undefined) throw new StageError(`Say whose register it is with --state. ${hint}`);
  const state = licenseSearchStates.find((each) => each === text.toUpperCase());
  if (!state) throw new StageError(`--state must be one of ${licenseSearchStates.join(", ")}.`);
  return state;
}

function startBar(file: string): SingleBar {
  const bar = new SingleBar({ format: "  {bar} {percentage}% {rows} rows", hideCursor: true, barsize: 40 });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  bar.start(Math.max(1, size), 0, { rows: 0 });
  return bar;
}

function print(file: string, state: string, { created, changed, unchanged, refused }: ImportResult): void {
  for (const { line, reason } of refused.slice(0, mostListed)) process.stdout.write(`  line ${line}: ${reason}\n`);
  if (refused.length > mostListed) process.stdout.write(`  ... and ${refused.length - mostListed} more\n`);
  const taken = `${created + changed + unchanged} taken (${created} new, ${changed} changed, ${unchanged} unchanged)`;
  const left = `${refused.length} refused`;
  const shown = refused.length > 0 ? styleText("yellow", left, { stream: process.stdout }) : left;
  process.stdout.write(`${file}, register of ${state}: ${taken}, ${shown}\n`);
}

await runProgram(licenses);
