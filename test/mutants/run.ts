import { existsSync, readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { Stryker } from "@stryker-mutator/core";
import { newProgram, parseOrExit } from "../../infra/cli/program.ts";

const fileIn = (place: string) => place.match(/^.*\.ts(?=$|:\d+-\d+$)/)?.[0];

/** @throws InvalidArgumentError for an argument that is no folder, file or range of lines below shared/ */
function placeOf(text: string, before: string[] = []): string[] {
  const place = text.replace(/\/$/, "");
  if (!place.startsWith("shared/") || !existsSync(fileIn(place) ?? place)) {
    throw new InvalidArgumentError("It must be in shared/, and be there.");
  }
  return [...before, place];
}

const [given = []] = parseOrExit(
  newProgram(
    "npm run mutants --",
    "Changes the code in one small place at a time, and lists the changes that no test notices. The whole report is .local/mutants/report.html then.",
  ).argument(
    "[PLACE...]",
    "a folder, a file, or lines of one, such as shared/auth/secrets.ts:40-58; shared/auth, shared/http and shared/platform/crypto unless said",
    placeOf,
  ),
).processedArgs;
const places = given.length > 0 ? given : ["shared/auth", "shared/http", "shared/platform/crypto"];

const folderOf = (place: string) => (fileIn(place) ? dirname(place) : place);
const folders = [...new Set(places.map(folderOf))];
// Read by the configuration of the tests.
process.env.MUTATED = folders.join();

console.log("First the tests run without any change ...");
const results = await new Stryker({
  configFile: "test/mutants/stryker.config.json",
  mutate: places.map((place) => (fileIn(place) ? place : `${place}/**/*.ts`)),
  reporters: [process.stdout.isTTY ? "progress" : "progress-append-only", "html", "json"],
  allowConsoleColors: process.stdout.isTTY,
}).runMutationTest();

type Mutant = (typeof results)[number];
/** A mutant whose result the runner cannot determine counts as one, too. */
const isSurvivor = ({ status }: Mutant) => status !== "Killed" && status !== "Timeout";

/** The code at the place of a mutant, or its replacement, on one line. */
const brief = (code: string) => {
  const line = code.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

function original({ fileName, location: { start, end } }: Mutant): string {
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  lines.push((lines.pop() ?? "").slice(0, end.column - 1));
  return lines.join("\n").slice(start.column - 1);
}

for (const mutant of results.filter(isSurvivor)) {
  const { fileName, location, replacement = "", status } = mutant;
  const place = `${relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column}`;
  console.log(`${status}  ${place}  ${brief(original(mutant))}  ->  ${brief(replacement)}`);
}
for (const folder of folders) {
  const mutants = results.filter(({ fileName }) => relative(process.cwd(), fileName).startsWith(`${folder}/`));
  const survivors = mutants.filter(isSurvivor).length;
  console.log(`${folder}: ${mutants.length} mutants, ${mutants.length - survivors} killed, ${survivors} survived`);
}
