import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A part of a library that no function needs, but that esbuild cannot know it may leave out. */
interface Needless {
  /** The library's files. */
  files: RegExp;
  /** The text that takes the place of theirs. Where a new version looks different, it changes nothing. */
  replace(text: string): string;
}

/** Together a fifth to a third of every bundle, and of the time that it takes to load. */
const needless: readonly Needless[] = [
  {
    // The SDK looks for credentials in a dozen places; those of a function are always in its environment.
    files: /@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/,
    replace: () => 'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";',
  },
  {
    // Properties of its schemas are named by constants, `{ [_hH]: 1 }`. What reading these does is unknown, so that
    // the schemas of operations that nobody calls would stay.
    files: /@aws-sdk\/client-[a-z0-9-]+\/dist-es\/schemas\/schemas_0\.js$/,
    replace: (text) => {
      const names = new Map(
        [...text.matchAll(/^const (_\w*) = ("[^"]*");$/gm)].map(([, name, value]) => [name, value]),
      );
      return withoutErrors(
        text.replace(/\[(_\w*)\]:/g, (all, name) => (names.has(name) ? `${names.get(name)}:` : all)),
      );
    },
  },
  {
    // Of the document client's parts, those that bring operations which nobody calls: walks over queries and scans.
    files: /@aws-sdk\/lib-dynamodb\/dist-es\/pagination\/index\.js$/,
    replace: () => "",
  },
  {
    // What it does about a client of another version, of which there is none: package.json pins both.
    files: /@aws-sdk\/lib-dynamodb\/dist-es\/DynamoDBDocumentClient\.js$/,
    replace: (text) => text.replace(/^ {8}const middlewares = [\s\S]*?^ {8}\}\n(?= {4}\}\n)/m, ""),
  },
  {
    // Parameters of DynamoDB that its expressions took the place of.
    files: /@aws-sdk\/lib-dynamodb\/dist-es\/commands\/\w+Command\.js$/,
    replace: (text) =>
      text.replace(
        /^ {8}(?:AttributeUpdates|Expected|ItemCollectionMetrics|KeyConditions|QueryFilter): \{\n[\s\S]*?^ {8}\},\n/gm,
        "",
      ),
  },
  {
    // Where it would keep endpoints that it asked DynamoDB for, which it does when told to.
    files: /@aws-sdk\/endpoint-cache\/dist-es\/EndpointCache\.js$/,
    replace: () => "export class EndpointCache {}",
  },
  {
    // How it slows down by itself when it is told to be "adaptive", which nobody tells it.
    files: /@smithy\/core\/dist-es\/submodules\/retry\/util-retry\/(DefaultRateLimiter|AdaptiveRetryStrategy)\.js$/,
    replace: emptyClass,
  },
  {
    // A question to the machine for its region, which a function has in its environment.
    files: /@smithy\/core\/dist-es\/submodules\/config\/config-resolver\/regionConfig\/getInstanceMetadataRegion\.js$/,
    replace: () => "export const getInstanceMetadataRegion = async () => undefined;",
  },
  {
    // What it says on a Node that it supports no longer; the functions' is pinned.
    files: /@aws-sdk\/core\/dist-es\/submodules\/client\/emitWarningIfUnsupportedVersion\.js$/,
    replace: () => "export const state = {}; export const emitWarningIfUnsupportedVersion = () => {};",
  },
  {
    // Streams of events, loaded when one is used, which keeps all that they use from being put in line with the rest.
    files: /@smithy\/core\/dist-es\/submodules\/protocols\/HttpProtocol\.js$/,
    replace: (text) =>
      text.replace('import("@smithy/core/event-streams")', 'Promise.reject(new Error("There are no event streams"))'),
  },
  {
    // The same in S3, of which only the search inside an object answers by one.
    files: /@aws-sdk\/client-s3\/dist-es\/runtimeConfig\.js$/,
    replace: (text) =>
      text.replace(
        'import { eventStreamSerdeProvider } from "@smithy/core/event-streams";',
        "const eventStreamSerdeProvider = () => undefined;",
      ),
  },
  {
    // What a library of the detector of file types would log. It asks for a module of Node in a way that is none of ours.
    files: /\/debug\/src\/index\.js$/,
    replace: () => "export default () => () => undefined;",
  },
  {
    // The names of all that it knows.
    files: /\/file-type\/source\/supported\.js$/,
    replace: () => "export const extensions = []; export const mimeTypes = [];",
  },
  {
    // Films, which no document is.
    files: /\/file-type\/source\/detectors\/(asf|ebml)\.js$/,
    replace: (text) =>
      [...text.matchAll(/^export async function (\w+)/gm)]
        .map(([, name]) => `export const ${name} = () => {};`)
        .join(""),
  },
  {
    // What Node itself can, for runtimes that cannot.
    files: /@borewit\/text-codec\/lib\/index\.js$/,
    replace: (text) =>
      text.includes("export function textDecode(")
        ? "export const textDecode = (bytes, encoding) => new TextDecoder(encoding).decode(bytes); export const textEncode = (text) => new TextEncoder().encode(text);"
        : text,
  },
  {
    // The same: hashes.
    files: /\/(Crc32|Md5|Sha1|Sha256)Js\.js$/,
    replace: emptyClass,
  },
  {
    // Of which the SDK reads the version.
    files: /@aws-sdk\/client-[a-z0-9-]+\/package\.json$/,
    replace: (text) => JSON.stringify({ version: JSON.parse(text).version }),
  },
  {
    // JSON Schema is made of the schemas for docs/openapi.json, never by a function.
    files: /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/,
    replace: (text) =>
      [...text.matchAll(/^export (?:const|function) (\w+)/gm)]
        .map(([, name]) => `export const ${name} = () => {};`)
        .join(""),
  },
  {
    // How it parses schemas that contain themselves, of which we have none.
    files: /zod\/v4\/core\/memoizer\.js$/,
    replace: () =>
      "export class $ZodCyclicError extends Error {} export const memoizer = () => undefined; export const isRecursiveSchema = () => false; export const isBackEdge = () => false;",
  },
  {
    // Names and descriptions are for docs/openapi.json too; each would make a copy of its schema. Of a text's many
    // formats, every one is known to every schema of a text.
    files: /zod\/v4\/classic\/schemas\.js$/,
    replace: (text) =>
      withoutFormats(
        text.replaceAll(
          /const cl = this\.clone\(\);\s*core\.globalRegistry\.add\(cl, .*\);\s*return cl;/g,
          "return this;",
        ),
      ),
  },
];

/** Leaves of a file with one class no more than its name. */
function emptyClass(text: string): string {
  return text.replace(/^[\s\S]*^export class (\w+) \{$[\s\S]*$/m, "export class $1 {}");
}

/** Leaves out the errors that nobody tells from others: these then are the service's general error, of the same name. */
function withoutErrors(text: string): string {
  const words = wordsOfSources();
  return text.replace(/^\w+\.registerError\(\w+\$, (\w+)\);$/gm, (all, name: string) =>
    words.has(name) || name.endsWith("ServiceException") ? all : "",
  );
}

/** Leaves out the formats of texts that no schema asks for. */
function withoutFormats(text: string): string {
  const words = wordsOfSources();
  return text.replace(/^ {4}(\w+)\(params\) \{\n {8}return this\.check\(core\._.*\n {4}\},\n/gm, (all, name: string) =>
    words.has(name) ? all : "",
  );
}

let words: Set<string> | undefined;
function wordsOfSources(): Set<string> {
  const files = globSync("{functions,shared}/**/*.ts", { cwd: root });
  words ??= new Set(files.flatMap((file) => readFileSync(`${root}/${file}`, "utf8").match(/\w+/g) ?? []));
  return words;
}

/** Leaves out of the bundles what is needless in libraries. */
export const trimLibraries: Plugin = {
  name: "left out",
  setup({ onLoad }) {
    for (const { files, replace } of needless) {
      onLoad({ filter: files }, ({ path }) => ({
        contents: replace(readFileSync(path, "utf8")),
        loader: path.endsWith(".json") ? "json" : "js",
      }));
    }
  },
};
