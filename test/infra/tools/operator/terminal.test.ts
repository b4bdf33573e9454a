import { expect, test } from "vitest";
import { write } from "../../../../infra/cli/terminalOutput.ts";
import { confirm, title } from "../../../../infra/tools/operator/terminal.ts";
import { runHere } from "../../local/runHere.ts";

const ask = (typed?: string) =>
  runHere(
    async (_, terminal) => {
      await confirm(terminal, "Sure?");
      write(terminal.stdout, title("Done"));
    },
    [],
    typed,
  );

test.each(["y\n", "Y\n", " yes \r\n", "YES", "y\nn\n"])("%j confirms a question", async (typed) => {
  expect(await ask(typed)).toEqual({ code: 0, out: "Done\n", err: "Sure? [y/N] " });
});

test.each(["n\n", "\n", "yep\n", "no\ny\n", ""])(
  "%j, and then the end of the input, does not confirm it",
  async (typed) => {
    expect(await ask(typed)).toEqual({ code: 1, out: "", err: "Sure? [y/N] Nothing was changed.\n" });
  },
);

test("without a terminal, the error says how to confirm", async () => {
  expect(await ask()).toEqual({ code: 1, out: "", err: "Sure? The input is not a terminal: add --yes to confirm.\n" });
});
