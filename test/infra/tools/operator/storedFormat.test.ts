import { beforeEach, expect, test, vi } from "vitest";
import type { runProgram } from "../../../../infra/cli/runProgram.ts";
import { licenses } from "../../../../infra/tools/operator/licenses.ts";
import { operator } from "../../../../infra/tools/operator/operator.ts";
import { smoke } from "../../../../infra/tools/smoke/smoke.ts";
import { storedFormatKey } from "../../../../shared/store/keys/storedFormat.ts";
import { storedFormat } from "../../../../shared/store/storedFormat.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { runHere } from "../../local/runHere.ts";

const table = useTestTable();
beforeEach(() => {
  vi.stubEnv("STAGE", "sandbox");
  vi.stubEnv("DOCUMENTS_BUCKET", "documents");
  vi.stubEnv("BASE_URL", "http://127.0.0.1:9");
});

const otherFormat = storedFormat + 1;
const stage = ["--stage", "sandbox"];
const programs: [string, Parameters<typeof runProgram>[0], string[]][] = [
  ["operator", operator, ["status", ...stage]],
  ["operator, on given records", operator, ["association", "pause", crypto.randomUUID(), ...stage]],
  ["licenses", licenses, ["import", "/nowhere.csv", "--state", "CO", ...stage]],
  ["smoke", (parameters, terminal) => smoke(parameters, terminal, new AbortController().signal), stage],
];

test.each(programs)("npm run %s rejects a table of another format with the remedy", async (_, program, parameters) => {
  await table().put({ ...storedFormatKey, format: otherFormat });
  expect(await runHere(program, parameters)).toEqual({
    code: 1,
    out: "",
    err: `Table ${table().name} has stored data of format ${otherFormat}, and this release works on format ${storedFormat}: use a release of format ${otherFormat} (docs/operations/releases.md#stored-format).\n`,
  });
});

test.each(programs)("npm run %s rejects a table without a format number", async (_, program, parameters) => {
  await table().delete(storedFormatKey);
  const { code, out, err } = await runHere(program, parameters);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^Table \S+ has no format number: check that it is the table of the stage [^\n]+\n$/);
});
