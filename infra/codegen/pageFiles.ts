import { join, relative } from "node:path";
import { consoleScript } from "../../shared/web/console/sourceFiles.ts";
import { connectScript } from "../../shared/web/onboarding/sourceFiles.ts";
import { sources } from "../../shared/web/reference/sourceFiles.ts";
import { description } from "./clientDescription.ts";
import { generateFile, root } from "./generatedFile.ts";

/** Generates the files of pages that are not in version control. */
export async function generatePageFiles(): Promise<void> {
  await Promise.all([
    generateScript(connectScript, "shared/web/onboarding/app"),
    generateScript(consoleScript, "shared/web/console/app"),
    generateCollection(),
  ]);
}

/** Generates the Postman collection. It changes only if the description of the API changes. */
const generateCollection = (): Promise<void> =>
  generateFile(sources.postman, async () => {
    const { postmanText } = await import("./postmanCollection.ts");
    const own = ["pageFiles.ts", "postmanCollection.ts"].map((name) => join(relative(root, import.meta.dirname), name));
    return { text: postmanText(), inputs: [description, ...own] };
  });

/** Bundles a page's script from the sources in a folder, for browsers of the last two years. */
const generateScript = (script: string, app: string): Promise<void> =>
  generateFile(script, async () => {
    // esbuild is imported on demand, so that a start does not wait for the import if the script already exists.
    const { build } = await import("esbuild");
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: [`${app}/main.tsx`],
      bundle: true,
      format: "esm",
      target: ["es2022"],
      banner: { js: `// Generated from ${app} by esbuild.` },
      legalComments: "none",
      charset: "utf8",
      write: false,
      metafile: true,
      logLevel: "error",
    });
    const own = [relative(root, import.meta.filename), "node_modules/esbuild/package.json"];
    return { text: outputFiles[0]?.text ?? "", inputs: [...Object.keys(metafile.inputs), ...own] };
  });
