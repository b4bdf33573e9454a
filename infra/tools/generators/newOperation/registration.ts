import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atEnd, type Block } from "../files/blocks.ts";
import type { Draft, DraftRoute } from "./draft.ts";

const registryFile = "shared/api/operationRegistry.ts";
const registryBlock: Block = {
  file: registryFile,
  from: "export const operationRegistry: readonly Operation[] = [",
  to: "];",
};
const walkFile = "test/api/paginate.ts";

/**
 * For each caller, the function in `walkFile` that calls the API as this caller, and the name of the client variable in
 * it.
 */
const walks = {
  serviceProvider: { name: "readAsServiceProvider", client: "sp" },
  crb: { name: "readAsCrb", client: "own" },
} as const;

/**
 * Returns the files that register an operation, with the new operation added: the operation registry, and the test file
 * in which a typed client calls all operations.
 *
 * @param root the project's folder
 * @returns texts by path in the project, not formatted
 * @throws StageError if the place to register it cannot be found
 */
export function registrations({ name, routes }: Draft, root: string): Map<string, string> {
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const list = atEnd(read(registryFile), registryBlock, `${name},`);
  const walked = routes.reduce((text, { method, path, caller }: DraftRoute) => {
    const { name: reader, client } = walks[caller];
    const call = `answerOf(await ${client}.${method}("${path}", { params: { path } }));`;
    return atEnd(text, { file: walkFile, from: `async function ${reader}(`, to: "}" }, call);
  }, read(walkFile));
  return new Map([
    [registryFile, `import { ${name} } from "./operations/${name}.ts";\n${list}`],
    [walkFile, walked],
  ]);
}
