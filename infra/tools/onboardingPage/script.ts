import { build } from "esbuild";

/**
 * The script of the page at /connect, for browsers of the last two years: what `shared/web/onboarding/app` is bundled to. It is
 * committed, so that a start needs no bundler.
 */
export async function connectScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ["shared/web/onboarding/app/main.tsx"],
    bundle: true,
    format: "esm",
    target: ["es2022"],
    banner: { js: "// Made of shared/web/onboarding/app by esbuild: npm run connect-page" },
    legalComments: "none",
    charset: "utf8",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
