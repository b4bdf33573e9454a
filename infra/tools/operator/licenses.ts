import { type LicenseSearchState, licenseSearchStates } from "../../../shared/api/enumerations.ts";
import {
  ImportOvertakenError,
  type ImportResult,
  importRegister,
} from "../../../shared/domain/licenses/importRegister.ts";
import { dataOption, newProgram, runCommander, stageOption } from "../../cli/program.ts";
import { runProgram, type Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { type Line, write } from "../../cli/terminalOutput.ts";
import { startFileBar } from "./fileBar.ts";
import { registerRows } from "./registerFile.ts";
import { openTarget } from "./target.ts";

/** Maximum of rejected rows in the output; further ones are only counted. */
const maxListed = 50;

/** Imports the register that the parameters name. */
export async function licenses(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const importing = newProgram(
    "import",
    "Imports a state's register of licenses. Stored licenses that the file does not have stay.",
  )
    .argument("<FILE.csv>", "the register as CSV; importing the same file twice changes nothing")
    .option("--state <STATE>", "the state of the register, CAN for Canada, or NLA for no authority")
    .option("--authority <NAME>", "the licensing authority for rows without licensing_authority_name")
    .addHelpText("after", columnsHelp)
    .action((file, options) =>
      importFile(file, { ...program.opts(), ...options, state: stateOf(options.state) }, stdout),
    );
  const program = newProgram("npm run licenses --", "Imports registers of licenses.")
    .addOption(stageOption())
    .addOption(dataOption());
  program.addCommand(importing);
  await runCommander(program, parameters, { stdout });
}

const columnsHelp = `
The first line of the file names the columns:
  license_identifier (or license_number), licensee,
  reported_license_type_description (or license_type),
  reported_license_status (or status), status_date or issued_at,
  and any other field of a license.
businesses and individuals contain names separated by semicolons.
Rejected rows are listed with their lines.`;

async function importFile(
  file: string,
  options: { state: LicenseSearchState; authority?: string | undefined; stage: string; data: string },
  stdout: Terminal["stdout"],
): Promise<void> {
  const { state, authority } = options;
  const target = openTarget(options);
  const stores = { table: target.table, bucket: target.documents() };
  const bar = startFileBar(file, stdout);
  try {
    const rows = registerRows(file, bar.bytes);
    const result = await importRegister(stores, { state, authority }, rows, {
      progress: bar.rows,
      stored: bar.stored,
    });
    bar.stop();
    write(stdout, ...summaryOf(file, state, result));
  } catch (error) {
    bar.stop();
    throw error instanceof ImportOvertakenError ? new StageError(error.message) : error;
  } finally {
    target.close();
  }
}

/** @throws StageError if the state is missing or unknown */
function stateOf(text: string | undefined): LicenseSearchState {
  if (text === undefined) throw new StageError("Add the state of the register: --state STATE.");
  const state = licenseSearchStates.find((each) => each === text.toUpperCase());
  if (!state) throw new StageError(`--state must be one of ${licenseSearchStates.join(", ")}.`);
  return state;
}

function summaryOf(file: string, state: string, { created, changed, unchanged, refused }: ImportResult): Line[] {
  const lines = refused.slice(0, maxListed).map(({ line, reason }) => `  line ${line}: ${reason}`);
  if (refused.length > maxListed) lines.push(`  ... and ${refused.length - maxListed} more`);
  const taken = `${created + changed + unchanged} imported (${created} new, ${changed} changed, ${unchanged} unchanged)`;
  const left = `${refused.length} rejected`;
  const shown = refused.length > 0 ? ({ style: "yellow", text: left } as const) : left;
  return [...lines, [`${file}, register of ${state}: ${taken}, `, shown]];
}

if (import.meta.main) process.exitCode = await runProgram(licenses, process.argv.slice(2), process);
