import { newProgram } from "../../../cli/program.ts";
import type { Line } from "../../../cli/terminalOutput.ts";
import { writeJson } from "../../../local/prettyJson.ts";
import type { MakeCommand, Screen } from "../session.ts";
import { stateCell } from "../stateStyles.ts";
import { type StatusSection, statusSections } from "../statusSections.ts";
import { jsonOption, tableOf } from "../table.ts";
import { title } from "../terminal.ts";

export const status: MakeCommand = (session) =>
  newProgram(
    "status",
    "Shows on one screen the late, failing, lapsing and waiting records of a stage: their counts, the worst ones, and the commands that show more.",
  )
    .addOption(jsonOption())
    .action(async ({ json }) => {
      const sections = await statusSections(session.target, new Date());
      if (json) writeJson(session.stdout, sections);
      else session.print(...statusLines(sections, session.screen));
    });

const indent = "  ";

/** The sections with records, then the names of those without: at most 23 lines, the height of a small terminal. */
export function statusLines(sections: readonly StatusSection[], screen: Screen): Line[] {
  const [found, clear] = [sections.filter(({ count }) => count > 0), sections.filter(({ count }) => count === 0)];
  const shown = found.length > 5 ? 2 : 3;
  const narrowed = screen.isTTY ? { isTTY: true, columns: (screen.columns || 80) - indent.length } : {};
  const lines = found.flatMap(({ subject, count, total, more, worst }): Line[] => {
    const { rows } = tableOf(narrowed, worst.slice(0, shown), {
      id: ({ id }) => id,
      name: ({ name }) => name,
      state: ({ states }) => stateCell(...states),
      detail: ({ detail }) => detail,
    });
    const heading = title(`${subject}: ${count}${total === null ? "" : ` of ${total}`}`);
    return [[heading, ` (${more})`], ...rows.map((row) => [indent, row].flat() as Line)];
  });
  const none = clear.map(({ subject }) => `${indent}${subject}`);
  return [...lines, ...(none.length > 0 ? [title("None of these:"), ...none] : [])];
}
