import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { testEndpointVariables } from "../../shared/pos/testEndpoints.ts";
import { connectScript } from "../../shared/web/onboarding/sourceFiles.ts";
import { generatePageScript } from "../codegen/pageScript.ts";
import { type StageName, settingsEnvironment } from "../stages/stages.ts";
import { stripResponseSchemas } from "./stripResponseSchemas.ts";
import { trimLibraries } from "./trimLibraries.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

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
  /** The minified JavaScript that it begins with, without its source map and without what it may fetch later. */
  bytes: number;
}

/**
 * Makes the bundles of handlers: for each a folder `<directory>/<handler>` with `index.mjs` and its source map, and in
 * files beside it what it fetches only when it needs it. One call for all of them, which share most of what is to be
 * parsed, and one more for each that has such files: those would be files of all functions together.
 *
 * @param stage whose kind of POS systems is known to the bundles, so that they leave out the others
 * @param directory absolute
 */
export async function bundle(stage: StageName, sources: readonly BundleSource[], directory: string): Promise<Bundle[]> {
  const environment = settingsEnvironment(stage);
  const hasStandIns = Object.values(testEndpointVariables).some((variable) => environment[variable]);
  const common: BuildOptions = {
    absWorkingDir: root,
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
    plugins: [trimLibraries, stripResponseSchemas],
    logLevel: "error",
  };
  const entryOf = ({ handler, entry = `functions/${handler}.ts` }: BundleSource) => entry;
  const whole = await build({
    ...common,
    entryPoints: sources.map((source) => ({ in: entryOf(source), out: `${source.handler}/index` })),
    outdir: directory,
    metafile: true,
  });
  if (sources.some(({ files = [] }) => files.includes(connectScript))) await generatePageScript();
  const bytes = new Map<string, number>();
  for (const source of sources) {
    const { handler, files = [] } = source;
    const folder = join(directory, handler);
    const output = outputsOf(whole)[join(folder, "index.mjs")];
    bytes.set(handler, output?.bytes ?? 0);
    if (Object.keys(output?.inputs ?? {}).some((input) => fetchedLater.test(input))) {
      const entryPoints = [{ in: entryOf(source), out: "index" }];
      const parted = await build({ ...common, entryPoints, outdir: folder, splitting: true, metafile: true });
      bytes.set(handler, bytesAtStart(outputsOf(parted), join(folder, "index.mjs")));
    }
    for (const file of files) await cp(join(root, file), join(folder, file));
  }
  return sources.map(({ handler }) => ({ handler, bytes: bytes.get(handler) ?? 0 }));
}

/** The connectors of real POS systems, of which a function needs few. */
const fetchedLater = /^shared\/pos\/connectors\/\w+\/\w+Connector\.ts$/;

type Outputs = Metafile["outputs"];

/** By their whole paths. */
function outputsOf({ metafile }: { metafile: Metafile }): Outputs {
  return Object.fromEntries(Object.entries(metafile.outputs).map(([file, output]) => [join(root, file), output]));
}

/** The bytes of a file and of all that is loaded with it. */
function bytesAtStart(outputs: Outputs, file: string): number {
  const loaded = new Set([file]);
  for (const each of loaded) {
    for (const { path, kind } of outputs[each]?.imports ?? []) {
      if (kind === "import-statement" && join(root, path) in outputs) loaded.add(join(root, path));
    }
  }
  return [...loaded].reduce((sum, each) => sum + (outputs[each]?.bytes ?? 0), 0);
}
