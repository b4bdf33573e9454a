import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { generateFile, root } from "./generatedFile.ts";

const description = "docs/openapi.json";

/** Omits the description's examples, which would be a third of the generated file. */
const withoutExamples = (key: string, value: unknown) => (/^examples?$/.test(key) ? undefined : value);

/** Generates the TypeScript types of the API for the client, from `docs/openapi.json`. */
export const generateClientTypes = (): Promise<void> =>
  generateFile("clients/typescript/openApi.ts", async () => {
    // Loaded on demand: the import takes a second.
    const { default: openapiTS, astToString } = await import("openapi-typescript");
    const operations = JSON.parse(readFileSync(join(root, description), "utf8"), withoutExamples);
    const types = await openapiTS(operations, { silent: true });
    return {
      text: `// Generated from ${description} by openapi-typescript.\n\n${astToString(types)}`,
      inputs: [description, relative(root, import.meta.filename), "node_modules/openapi-typescript/package.json"],
    };
  });
