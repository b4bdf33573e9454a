import { type LicenseSearchState, licenseSearchStates } from "../../../shared/api/enumerations.ts";
import {
  ImportOvertakenError,
  type ImportResult,
  importRegister,
} from "../../../shared/domain/licenses/importRegister.ts";
import {
  compareLinkedLicenses,
  type LicenseComparison,
} from "../../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { dataOption, newProgram, runCommander, stageOption } from "../../cli/program.ts";
import { runProgram, type Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { type Line, write } from "../../cli/terminalOutput.ts";
import { describeLinesAbove } from "./csvRows.ts";
import { startFileBar } from "./fileBar.ts";
import { recordCommand } from "./recordCommand.ts";
import { openRegister, registerRows } from "./registerFile.ts";
import { openTarget, requireStoredFormat, type Target } from "./target.ts";

/** Maximum of rejected rows in the output; further ones are only counted. */
const maxListed = 50;

/** Imports the register that the parameters name. */
export async function licenses(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const importing = newProgram(
    "import",
    "Imports a state's register of licenses, and reports the changes of linked licenses. Searches still find licenses that the file does not have.",
  )
    .argument("<FILE.csv>", "the register as CSV; importing the same file twice changes nothing")
    .option("--state <STATE>", "the state of the register, CAN for Canada, or NLA for no authority")
    .option("--authority <NAME>", "the licensing authority for rows without licensing_authority_name")
    .option("--part <NAME>", "the part of the register that the file holds, if the state publishes several files")
    .addHelpText("after", columnsHelp)
    .action((file, options, command) =>
      importFile(
        file,
        { ...program.opts(), ...options, state: stateOf(options.state), part: partOf(options.part) },
        stdout,
        (target) => recordCommand(command, target),
      ),
    );
  const program = newProgram("npm run licenses --", "Imports registers of licenses.")
    .addOption(stageOption())
    .addOption(dataOption());
  program.addCommand(importing);
  await runCommander(program, parameters, { stdout });
}

const columnsHelp = `
The files of CA, CO, MA, MI and NY are read as these states publish them.
For other states, the first line of the file names the columns:
  license_identifier (or license_number), licensee,
  reported_license_type_description (or license_type),
  reported_license_status (or status), status_date or issued_at,
  and any other field of a license.
business_name, dba and trade_name are columns of businesses.
businesses and individuals contain names separated by semicolons.
Rejected rows are listed with their lines.
The exit status is 1 if any row is rejected; the other rows are imported.`;

interface ImportOptions {
  state: LicenseSearchState;
  authority?: string | undefined;
  part?: string | undefined;
  stage: string;
  data: string;
}

/** @param record writes the command to the access log, before anything is read */
async function importFile(
  file: string,
  options: ImportOptions,
  stdout: Terminal["stdout"],
  record: (target: Target) => Promise<void>,
): Promise<void> {
  const { state, authority, part } = options;
  const target = openTarget(options);
  const stores = { table: target.table, bucket: target.documents() };
  const bar = startFileBar(file, stdout);
  try {
    await requireStoredFormat(target);
    await record(target);
    const opened = await openRegister(file, state);
    const { layout, columns } = opened;
    const rows = registerRows(file, opened, bar.bytes);
    const result = await importRegister(stores, { state, authority, part, layout }, rows, {
      progress: bar.rows,
      stored: bar.stored,
    });
    bar.stop();
    write(stdout, ...describeLinesAbove(opened.above));
    if (layout) write(stdout, `Layout: ${layout.name}.`);
    if (columns.unread.length > 0) write(stdout, `Columns that are not read: ${listed(columns.unread)}.`);
    write(stdout, ...summaryOf(file, state, result));
    write(stdout, ...describeComparison(await compareLinkedLicenses(stores)));
    const rejected = result.refused.length;
    if (rejected > 0) {
      throw new StageError(
        `${rejected === 1 ? "1 row was" : `${rejected} rows were`} rejected. Correct the file and import it again.`,
      );
    }
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

/** Names in a list, at most `maxListed` of them. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).join(", ");
  return names.length > maxListed ? `${shown} and ${names.length - maxListed} more` : shown;
}

function linesOf(rows: ImportResult["notes"]): string[] {
  const lines = rows.slice(0, maxListed).map(({ line, reason }) => `  line ${line}: ${reason}`);
  return rows.length > maxListed ? [...lines, `  ... and ${rows.length - maxListed} more`] : lines;
}

/** @throws StageError if the name has other characters than stored names can have */
function partOf(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[A-Za-z0-9 _-]{1,40}$/.test(text)) {
    throw new StageError("--part must have 1 to 40 letters, digits, spaces, hyphens or underscores.");
  }
  return text;
}

function describeStatuses(statuses: ImportResult["unknownStatuses"]): string[] {
  if (statuses.length === 0) return [];
  const lines = statuses.slice(0, maxListed).map(({ status, rows }) => `  ${JSON.stringify(status)}: ${rows}`);
  const more = statuses.length > maxListed ? [`  ... and ${statuses.length - maxListed} more`] : [];
  return [
    "Statuses that do not say whether a license permits business, with their rows. Linked licenses get the status unknown:",
    ...lines,
    ...more,
  ];
}

function summaryOf(file: string, state: string, result: ImportResult): Line[] {
  const { created, changed, unchanged, missing, unconfirmed, refused, notes, unknownStatuses } = result;
  const lines = [...linesOf(refused), ...linesOf(notes), ...describeStatuses(unknownStatuses)];
  const taken = `${created + changed + unchanged} imported (${created} new, ${changed} changed, ${unchanged} unchanged)`;
  const left = `${refused.length} rejected`;
  const shown = refused.length > 0 ? ({ style: "yellow", text: left } as const) : left;
  return [
    ...lines,
    [`${file}, register of ${state}: ${taken}, `, shown],
    ...(missing > 0 ? [`Licenses that are missing from the register since this import: ${missing}.`] : []),
    ...(unconfirmed > 0
      ? [`Licenses that the file lacks: ${unconfirmed}. If they are gone, import the register again on a later day.`]
      : []),
  ];
}

function describeComparison({ links, changed, failures }: LicenseComparison): Line[] {
  const lines: Line[] = [];
  if (changed > 0) {
    lines.push(`Linked licenses with a changed status: ${changed} of ${links}. The service providers get events.`);
  }
  if (failures > 0) {
    lines.push(`Linked licenses that could not be compared: ${failures}. The service retries each hour.`);
  }
  return lines;
}

if (import.meta.main) process.exitCode = await runProgram(licenses, process.argv.slice(2), process);
