import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { standInVariables } from "../shared/pos/standIns.ts";
import { leftOut } from "./leftOut.ts";
import { type StageName, settingsEnvironment } from "./stages.ts";
import { withoutAnswers } from "./withoutAnswers.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What a bundle is made of. */
export interface BundleSource {
  /** The handler's file below functions/, without the ending. */
  handler: string;
  /** Its file, where that is another one; from the project's root. */
  entry?: string;
  /** Files of this project that it reads when it runs: they lie beside it, at the same paths. */
  files?: readonly string[];
}

/** A handler's bundle. */
export interface Bundle {
  handler: string;
  /** The minified JavaScript, without its source map. */
  bytes: number;
}

/**
 * Makes the bundles of handlers: for each a folder `<directory>/<handler>` with `index.mjs` and its source map. One call
 * for all of them, which share most of what is to be parsed.
 *
 * @param stage whose kind of POS systems is known to the bundles, so that they leave out the others
 * @param directory absolute
 */
export async function bundle(stage: StageName, sources: readonly BundleSource[], directory: string): Promise<Bundle[]> {
  const environment = settingsEnvironment(stage);
  const hasStandIns = Object.values(standInVariables).some((variable) => environment[variable]);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: sources.map(({ handler, entry = `functions/${handler}.ts` }) => ({
      in: entry,
      out: `${handler}/index`,
    })),
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    define: {
      "process.env.POS_CONNECTORS": JSON.stringify(environment.POS_CONNECTORS),
      "process.env.POS_STAND_INS": JSON.stringify(hasStandIns ? "some" : "none"),
    },
    minify: true,
    legalComments: "none",
    sourcemap: true,
    // The lines are enough for a stack; the sources would treble what Lambda has to fetch.
    sourcesContent: false,
    metafile: true,
    plugins: [leftOut, withoutAnswers],
    logLevel: "error",
  });
  const bytes = new Map(Object.entries(metafile.outputs).map(([file, output]) => [join(root, file), output.bytes]));
  for (const { handler, files = [] } of sources) {
    for (const file of files) await cp(join(root, file), join(directory, handler, file));
  }
  return sources.map(({ handler }) => ({ handler, bytes: bytes.get(join(directory, handler, "index.mjs")) ?? 0 }));
}
