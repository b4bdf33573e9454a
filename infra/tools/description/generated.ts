import openapiTS, { astToString } from "openapi-typescript";
import { openApi } from "../../../shared/api/openapi/openApi.ts";

/** Of the types, examples would be a third. */
const withoutExamples = (key: string, value: unknown) => (/^examples?$/.test(key) ? undefined : value);

/** The files that are made of the operation registry, by their path in the project: the description, and its types in TypeScript. */
export async function generated(): Promise<Record<"docs/openapi.json" | "test/client/openApi.d.ts", string>> {
  const description = openApi();
  const types = await openapiTS(JSON.stringify(description, withoutExamples), { silent: true });
  return {
    "docs/openapi.json": `${JSON.stringify(description, null, 2)}\n`,
    "test/client/openApi.d.ts": `// Made of docs/openapi.json by openapi-typescript: npm run openapi\n\n${astToString(types)}`,
  };
}
