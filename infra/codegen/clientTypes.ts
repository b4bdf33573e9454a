import { relative } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import { clientDescription, description } from "./clientDescription.ts";
import { errorClasses, errorInputs } from "./errorClasses.ts";
import { generateFile, root } from "./generatedFile.ts";

/** Omits the description's examples, which would be a third of the generated file. */
const withoutExamples = (key: string, value: unknown) => (/^examples?$/.test(key) ? undefined : value);

const codegen = relative(root, import.meta.dirname);

/** Generates the TypeScript types of the API for the client, from `docs/openapi.json`, and the client's error classes. */
export async function generateClientTypes(): Promise<void> {
  await generateFile("clients/typescript/errors.ts", async () => {
    const classes = errorClasses.map(
      ({ className, summary }) =>
        `\n/** ${summary} */\nexport class ${className} extends ApiError {\n  override readonly name = "${className}";\n}\n`,
    );
    const byStatus = errorClasses.map(({ className, status }) => `  ${status}: ${className},\n`).join("");
    const text = `// Generated from the error codes of the API.

import { ApiError } from "./apiError.ts";
${classes.join("")}
/** The classes by HTTP status. */
export const errorClasses: Readonly<Record<number, typeof ApiError>> = {\n${byStatus}};\n`;
    return { text, inputs: [`${codegen}/clientTypes.ts`, ...errorInputs] };
  });
  await generateFile("clients/typescript/openApi.ts", async () => {
    // Loaded on demand: the import takes a second.
    const { default: openapiTS, astToString } = await import("openapi-typescript");
    const types = await openapiTS(clientDescription(withoutExamples) as object as OpenAPI3, { silent: true });
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
}
