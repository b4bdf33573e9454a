import { resolve } from "node:path";
import { type LicenseSearchState, licenseSearchStates } from "../../shared/api/enumerations.ts";
import { ImportOvertakenError, type ImportResult, importRegister } from "../../shared/licenses/importRegister.ts";
import { optionsOf } from "../local/optionsOf.ts";
import { runProgram, type Terminal } from "../local/runProgram.ts";
import { StageError } from "../local/stageError.ts";
import { type Line, write } from "../local/write.ts";
import { startFileBar } from "./fileBar.ts";
import { registerRows } from "./registerFile.ts";
import { openTarget } from "./target.ts";

const usage = `Takes a state's register of licenses in.

  npm run licenses -- import FILE.csv --state CO [options]

  --state STATE     whose register it is: a state, CAN for Canada, NLA for no licensing authority
  --authority NAME  the authority of rows without licensing_authority_name
  --stage NAME      local (the default), or a deployed stage, whose .deployed/NAME.env is in the environment
  --data DIR        the local stage's data directory, default .local
  --help            shows this

The first line names the columns: license_identifier (or license_number), licensee,
reported_license_type_description (or license_type), reported_license_status (or status), status_date or issued_at,
and any other field of a license; businesses and individuals hold names parted by semicolons. What the file leaves out
stays; the same file again changes nothing. Rows that are refused are listed with their lines.
`;

/** More refused rows than these are only counted. */
const mostListed = 50;

/** The program: imports the register that its parameters name. */
export async function licenses(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const { values, positionals } = parse(parameters);
  if (values.help) {
    write(stdout, ...usage.trimEnd().split("\n"));
    return;
  }
  const [command, file, ...more] = positionals;
  if (command !== "import") {
    throw new StageError(`${command ? `Unknown command ${command}` : "Name a command"}: import. ${hint}`);
  }
  if (!file || more.length > 0) throw new StageError(`Name one CSV file to import. ${hint}`);
  const state = stateOf(values.state);
  const target = openTarget({ stage: values.stage, data: resolve(values.data) });
  const stores = { table: target.table, bucket: target.documents() };
  const bar = startFileBar(file, stdout);
  try {
    const rows = registerRows(file, bar.bytes);
    const register = { state, authority: values.authority };
    const result = await importRegister(stores, register, rows, { progress: bar.rows, stored: bar.stored });
    bar.stop();
    write(stdout, ...summaryOf(file, state, result));
  } catch (error) {
    bar.stop();
    throw error instanceof ImportOvertakenError ? new StageError(error.message) : error;
  } finally {
    target.close();
  }
}

const hint = "See npm run licenses -- --help";

function parse(parameters: readonly string[]) {
  return optionsOf(parameters, hint, {
    options: {
      state: { type: "string" },
      authority: { type: "string" },
      stage: { type: "string", default: "local" },
      data: { type: "string", default: ".local" },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
}

function stateOf(text: string | undefined): LicenseSearchState {
  if (text === undefined) throw new StageError(`Say whose register it is with --state. ${hint}`);
  const state = licenseSearchStates.find((each) => each === text.toUpperCase());
  if (!state) throw new StageError(`--state must be one of ${licenseSearchStates.join(", ")}.`);
  return state;
}

function summaryOf(file: string, state: string, { created, changed, unchanged, refused }: ImportResult): Line[] {
  const lines = refused.slice(0, mostListed).map(({ line, reason }) => `  line ${line}: ${reason}`);
  if (refused.length > mostListed) lines.push(`  ... and ${refused.length - mostListed} more`);
  const taken = `${created + changed + unchanged} taken (${created} new, ${changed} changed, ${unchanged} unchanged)`;
  const left = `${refused.length} refused`;
  const shown = refused.length > 0 ? ({ style: "yellow", text: left } as const) : left;
  return [...lines, [`${file}, register of ${state}: ${taken}, `, shown]];
}

if (import.meta.main) process.exitCode = await runProgram(licenses, process.argv.slice(2), process);
