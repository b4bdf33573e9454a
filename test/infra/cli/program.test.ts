import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { each, integer, newProgram, runCommander } from "../../../infra/cli/program.ts";
import { StageError } from "../../../infra/cli/stageError.ts";

/**
 * Runs a program with one group of commands.
 * @returns the parameters of its action, its output, and its error
 */
async function run(parameters: readonly string[], terminal?: { columns: number }) {
  let out = "";
  const stdout = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        out += chunk;
        done();
      },
    }),
    terminal && { isTTY: true, ...terminal },
  );
  const received: unknown[] = [];
  const list = newProgram("list", "Lists what there is, in words that are more than a narrow terminal takes in a line.")
    .argument("<NAME>", "a name")
    .option("--only <KIND>", "one kind; once for each", each)
    .option("--most <N>", "a count", integer("--most", 1, 50), 10)
    .option("--yes", "without asking")
    .action((name, options) => void received.push(name, options));
  const program = newProgram("npm run try --").addCommand(newProgram("thing").addCommand(list));
  const refused = await runCommander(program, parameters, { stdout }).catch((error: unknown) => error);
  if (refused !== undefined) expect(refused).toBeInstanceOf(StageError);
  return { received, out, refused: (refused as StageError | undefined)?.message };
}

test("an action gets its arguments and options", async () => {
  const { received, refused } = await run(["thing", "list", "Kim", "--only", "a", "--only", "b", "--most", "7"]);
  expect({ received, refused }).toEqual({ received: ["Kim", { only: ["a", "b"], most: 7 }], refused: undefined });
});

describe("an invalid parameter is rejected in one line, which names a similar valid one", () => {
  const help = "See npm run try -- thing list --help";
  test.each([
    [["thing", "list"], `Missing required argument 'NAME'. ${help}`],
    [["thing", "list", "Kim", "--onyl", "a"], `Unknown option '--onyl'. Did you mean --only? ${help}`],
    [["thing", "list", "Kim", "--only"], `Option '--only <KIND>' argument missing. ${help}`],
    [["thing", "list", "Kim", "Lee"], `Too many arguments for npm run try -- thing list. ${help}`],
    [["thing", "lisst"], "Unknown command 'lisst'. Did you mean list? See npm run try -- thing --help"],
    [["thing"], "Add a command to npm run try -- thing: list. See npm run try -- thing --help"],
    [[], "Add a command to npm run try: thing. See npm run try -- --help"],
    [["thing", "list", "Kim", "--most", "51"], "--most must be an integer from 1 to 50."],
    [["thing", "list", "Kim", "--most", "-1"], "--most must be an integer from 1 to 50."],
    [["thing", "list", "Kim", "--most", "7x"], "--most must be an integer from 1 to 50."],
  ])("%j", async (parameters, line) => {
    expect(await run(parameters)).toEqual({ received: [], out: "", refused: line });
  });

  test.each([
    ["as a command", ["sk_live_123"]],
    ["as an argument too many", ["thing", "list", "Kim", "at_live_123"]],
    ["as an option", ["thing", "list", "--whsec_live_123"]],
  ])("without a typed secret: %s", async (_, parameters) => {
    const { refused } = await run(parameters);
    expect(refused).toBeDefined();
    expect(refused).not.toContain("live_123");
  });
});

test("help names every command, and wraps between words at the end of the terminal", async () => {
  for (const columns of [50, 80, 120]) {
    for (const parameters of [["--help"], ["thing", "list", "--help"]]) {
      const { out, received, refused } = await run(parameters, { columns });
      expect([received, refused]).toEqual([[], undefined]);
      expect(out).toContain("Usage:");
      expect(out.replaceAll(/\s+/g, " ")).toContain("in words that are more than a narrow terminal takes in a line.");
      for (const line of out.split("\n"))
        expect(line.length).toBeLessThanOrEqual(columns + "\u001b[1m\u001b[22m".length);
    }
  }
  expect((await run(["--help"])).out).toMatch(/^ {2}thing list {2}Lists what there is/m);
  expect((await run(["--help"])).out).not.toContain("\u001b");
});

test("--version shows the version of the project, before or after a command", async () => {
  for (const parameters of [["--version"], ["thing", "list", "--version"]]) {
    expect(await run(parameters)).toEqual({
      received: [],
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      refused: undefined,
    });
  }
});
