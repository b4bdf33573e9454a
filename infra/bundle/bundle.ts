import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { testEndpointVariables } from "../../shared/pos/testEndpoints.ts";
import type { SaleRule } from "../../shared/saleChecks/saleRule.ts";
import { decidingFields } from "../../shared/saleChecks/saleRules.ts";
import { generatePageFiles } from "../codegen/pageFiles.ts";
import { readStageRules } from "../stages/saleRuleSettings.ts";
import { type StageName, type StageSettings, settingsEnvironment, stages } from "../stages/stages.ts";
import { stripResponseSchemas } from "./stripResponseSchemas.ts";
import { trimLibraries } from "./trimLibraries.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface BundleSource {
  /** Path of the handler below functions/, without the extension. */
  handler: string;
  /** Path from the project's root, if it is not `functions/<handler>.ts`. */
  entry?: string;
  /**
   * Files of this project that the handler reads at run time. `bundle` copies these files into the handler's folder,
   * under the same paths.
   */
  files?: readonly string[];
}

export interface Bundle {
  handler: string;
  /** Size of the minified JavaScript that loads at start, without the source map and dynamic imports. */
  bytes: number;
}

/**
 * Bundles handlers. Each handler gets a folder `<directory>/<handler>` with `index.mjs`, its source map, and chunks for
 * its dynamic imports.
 *
 * One esbuild call builds all handlers, so that shared files are parsed once. Each handler that imports a module
 * of `fetchedLater` is then built again by a separate call: a common call would put code of several functions into shared
 * chunks.
 *
 * @param stage decides whether the bundles contain the real or the simulated POS connectors
 */
export async function bundle(stage: StageName, sources: readonly BundleSource[], directory: string): Promise<Bundle[]> {
  const environment = settingsEnvironment(stage);
  const hasTestEndpoints = Object.values(testEndpointVariables).some((variable) => environment[variable]);
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
      "process.env.POS_TEST_ENDPOINTS": JSON.stringify(hasTestEndpoints ? "some" : "none"),
    },
    minify: true,
    legalComments: "none",
    sourcemap: true,
    // Stack traces need only line numbers. The sources would triple the size of the download.
    sourcesContent: false,
    plugins: [trimLibraries, stripResponseSchemas, stageSaleRules(stage)],
    logLevel: "error",
  };
  const entryOf = ({ handler, entry = `functions/${handler}.ts` }: BundleSource) => entry;
  const whole = await build({
    ...common,
    entryPoints: sources.map((source) => ({ in: entryOf(source), out: `${source.handler}/index` })),
    outdir: directory,
    metafile: true,
  });
  if (sources.some(({ files }) => files)) await generatePageFiles();
  const bytes = new Map<string, number>();
  for (const source of sources) {
    const { handler, files = [] } = source;
    const folder = join(directory, handler);
    const output = outputsOf(whole)[join(folder, "index.mjs")];
    const inputs = Object.keys(output?.inputs ?? {});
    bytes.set(handler, output?.bytes ?? 0);
    if (inputs.some((input) => fetchedLater.test(input))) {
      const entryPoints = [{ in: entryOf(source), out: "index" }];
      const plugins = [...(common.plugins ?? []), withoutSources];
      const parted = await build({ ...common, plugins, entryPoints, outdir: folder, splitting: true, metafile: true });
      bytes.set(handler, bytesAtStart(outputsOf(parted), join(folder, "index.mjs")));
    }
    const termsFiles = environment.TERMS_FILE && inputs.includes(termsModule) ? [environment.TERMS_FILE] : [];
    for (const file of [...files, ...termsFiles]) await cp(join(root, file), join(folder, file));
  }
  return sources.map(({ handler }) => ({ handler, bytes: bytes.get(handler) ?? 0 }));
}

/** Puts the stage's sale rules in place of the empty file. */
const stageSaleRules = (stage: StageName): Plugin => ({
  name: "sale rules of the stage",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]saleChecks[\\/]stageRules\.json$/ }, () => ({
      contents: JSON.stringify(readStageRules(stages[stage] satisfies StageSettings as StageSettings)),
      loader: "json",
    }));
  },
});

/** Leaves out of the worker what it does not need of the sale rules: sources, remarks, and rules that are not enabled. */
const withoutSources: Plugin = {
  name: "sale rules without sources",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]saleChecks[\\/]rules[\\/]\w+\.json$/ }, ({ path }) => {
      const rules: SaleRule[] = JSON.parse(readFileSync(path, "utf8"));
      const shown = rules.filter(({ enabled }) => enabled);
      const values = shown.map((rule) => Object.fromEntries(decidingFields.map((name) => [name, rule[name]])));
      return { contents: JSON.stringify(values), loader: "json" };
    });
  },
};

/**
 * The module that reads the stage's terms file. A handler whose bundle contains this module needs the file at run time.
 */
const termsModule = "shared/domain/onboarding/terms.ts";

/**
 * Modules that are imported dynamically, since few invocations need them: the connectors of real and simulated POS systems, and
 * the bucket of daily snapshots.
 */
const fetchedLater =
  /^shared\/(pos\/(connectors\/\w+\/\w+|sandbox\/sandbox)Connector|domain\/inventory\/snapshotBucket)\.ts$/;

type Outputs = Metafile["outputs"];

/** The outputs by absolute path. */
function outputsOf({ metafile }: { metafile: Metafile }): Outputs {
  return Object.fromEntries(Object.entries(metafile.outputs).map(([file, output]) => [join(root, file), output]));
}

/** The total size of an output file and of all files that it imports statically, directly or not. */
function bytesAtStart(outputs: Outputs, file: string): number {
  const loaded = new Set([file]);
  for (const each of loaded) {
    for (const { path, kind } of outputs[each]?.imports ?? []) {
      if (kind === "import-statement" && join(root, path) in outputs) loaded.add(join(root, path));
    }
  }
  return [...loaded].reduce((sum, each) => sum + (outputs[each]?.bytes ?? 0), 0);
}
