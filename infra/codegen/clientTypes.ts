import { relative } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import { clientDescription, description } from "./clientDescription.ts";
import { generateFile, root } from "./generatedFile.ts";

/** Omits the description's examples, which would be a third of the generated file. */
const withoutExamples = (key: string, value: unknown) => (/^examples?$/.test(key) ? undefined : value);

/** Generates the TypeScript types of the API for the client, from `docs/openapi.json`. */
export const generateClientTypes = (): Promise<void> =>
  generateFile("clients/typescript/openApi.ts", async () => {
    // Loaded on demand: the import takes a second.
    const { default: openapiTS, astToString } = await import("openapi-typescript");
    const types = await openapiTS(clientDescription(withoutExamples) as object as OpenAPI3, { silent: true });
    const codegen = relative(root, import.meta.dirname);
    return {
      text: `// Generated from ${description} by openapi-typescript.\n\n${astToString(types)}`,
      inputs: [
        description,
        `${codegen}/clientTypes.ts`,
        `${codegen}/clientDescription.ts`,
        "node_modules/openapi-typescript/package.json",
      ],
    };
  });
