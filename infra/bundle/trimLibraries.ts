import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Library code that no function uses. esbuild cannot prove that the code is unused, so it would keep the code. */
interface Unused {
  /** Matches the paths of the library's files. */
  files: RegExp;
  /** Returns the shortened file. */
  replace(text: string): string;
}

/** With these parts, the median bundle would have 537 KB instead of 327 KB, the largest one 794 KB instead of 499 KB. */
const unused: readonly Unused[] = [
  {
    // The SDK tries a dozen credential sources. A function's credentials are always in its environment.
    files: /@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/,
    replace: () => 'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";',
  },
  {
    // The property names in the SDK's schemas are constants, as in `{ [_hH]: 1 }`. esbuild cannot know that reading
    // these constants has no side effect, so it would keep the schemas of unused operations.
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
    // The paginators of the document client. They import operations that no function calls.
    files: /@aws-sdk\/lib-dynamodb\/dist-es\/pagination\/index\.js$/,
    replace: () => "",
  },
  {
    // Supports a DynamoDB client whose version differs from the version of the document client. package.json pins both
    // clients to the same version.
    files: /@aws-sdk\/lib-dynamodb\/dist-es\/DynamoDBDocumentClient\.js$/,
    replace: (text) => cut(text, /^ {8}const middlewares = [\s\S]*?^ {8}\}\n(?= {4}\}\n)/m),
  },
  {
    // A cache for endpoint discovery, which is off.
    files: /@aws-sdk\/endpoint-cache\/dist-es\/EndpointCache\.js$/,
    replace: () => "export class EndpointCache {}",
  },
  {
    // Rate limiting of the retry mode "adaptive", which no client uses.
    files: /@smithy\/core\/dist-es\/submodules\/retry\/util-retry\/(DefaultRateLimiter|AdaptiveRetryStrategy)\.js$/,
    replace: emptyClass,
  },
  {
    // Reads the region from the instance metadata. A function has its region in its environment.
    files: /@smithy\/core\/dist-es\/submodules\/config\/config-resolver\/regionConfig\/getInstanceMetadataRegion\.js$/,
    replace: () => "export const getInstanceMetadataRegion = async () => undefined;",
  },
  {
    // Warns about an unsupported version of Node. The functions' version is pinned.
    files: /@aws-sdk\/core\/dist-es\/submodules\/client\/emitWarningIfUnsupportedVersion\.js$/,
    replace: () => "export const state = {}; export const emitWarningIfUnsupportedVersion = () => {};",
  },
  {
    // Event streams, which the SDK imports dynamically. The dynamic import keeps esbuild from inlining the dependencies
    // of event streams.
    files: /@smithy\/core\/dist-es\/submodules\/protocols\/HttpProtocol\.js$/,
    replace: (text) =>
      cut(
        text,
        'import("@smithy/core/event-streams")',
        'Promise.reject(new Error("The bundle has no support for event streams"))',
      ),
  },
  {
    // Event streams of S3. Only queries on the content of an object use event streams.
    files: /@aws-sdk\/client-s3\/dist-es\/runtimeConfig\.js$/,
    replace: (text) =>
      cut(
        text,
        'import { eventStreamSerdeProvider } from "@smithy/core/event-streams";',
        "const eventStreamSerdeProvider = () => undefined;",
      ),
  },
  {
    // Sessions of directory buckets (S3 Express). The service has none.
    files: /\/S3ExpressIdentityProviderImpl\.js$/,
    replace: emptyClass,
  },
  {
    // Signatures for access points in several regions. The service has none.
    files: /@aws-sdk\/signature-v4-multi-region\/dist-es\/SignatureV4MultiRegion\.js$/,
    replace: () =>
      'export { SignatureV4SignWithCredentials as SignatureV4MultiRegion } from "./SignatureV4SignWithCredentials";',
  },
  {
    // Debug logging of a dependency of file-type. The logging code loads a Node module with `require`, which our code
    // never does.
    files: /\/debug\/src\/index\.js$/,
    replace: () => "export default () => () => undefined;",
  },
  {
    // The lists of all supported file types.
    files: /\/file-type\/source\/supported\.js$/,
    replace: () => "export const extensions = []; export const mimeTypes = [];",
  },
  {
    // Video detectors: no document is a video.
    files: /\/file-type\/source\/detectors\/(asf|ebml)\.js$/,
    replace: (text) =>
      [...text.matchAll(/^export async function (\w+)/gm)]
        .map(([, name]) => `export const ${name} = () => {};`)
        .join(""),
  },
  {
    // Detection in streams and blobs, and of the content of gzip files. The service detects only types of buffers, and
    // accepts no gzip file.
    files: /\/file-type\/source\/index\.js$/,
    replace: (text) =>
      [
        [/^\tasync (?:fromBlob|fromStream|fromFile|toDetectionStream)\(.*\) \{\n[\s\S]*?^\t\}\n/gm] as const,
        [/^\tcreateTokenizerFromWebStream\(.*\) \{\n[\s\S]*?^\t\}\n/m] as const,
        [
          /^\tasync detectGzip\(tokenizer\) \{\n[\s\S]*?^\t\}\n/m,
          "\tasync detectGzip() {\n\t\treturn {ext: 'gz', mime: 'application/gzip'};\n\t}\n",
        ] as const,
      ].reduce((rest, [pattern, by]) => cut(rest, pattern, by), text),
  },
  {
    // A polyfill of the text codecs of Node.
    files: /@borewit\/text-codec\/lib\/index\.js$/,
    replace: (text) =>
      cut(
        text,
        /^[\s\S]*^export function textDecode\([\s\S]*$/m,
        "export const textDecode = (bytes, encoding) => new TextDecoder(encoding).decode(bytes); export const textEncode = (text) => new TextEncoder().encode(text);",
      ),
  },
  {
    // JavaScript versions of the hashes that Node provides.
    files: /\/(Crc32|Md5|Sha1|Sha256)Js\.js$/,
    replace: emptyClass,
  },
  {
    // The SDK reads only the version from its package.json.
    files: /@aws-sdk\/client-[a-z0-9-]+\/package\.json$/,
    replace: (text) => JSON.stringify({ version: JSON.parse(text).version }),
  },
  {
    // The generator of docs/openapi.json converts schemas to JSON Schema; functions never do.
    files: /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/,
    replace: (text) =>
      [...text.matchAll(/^export (?:const|function) (\w+)/gm)]
        .map(([, name]) => `export const ${name} = () => {};`)
        .join(""),
  },
  {
    // Supports recursive schemas. The service has none.
    files: /zod\/v4\/core\/memoizer\.js$/,
    replace: () =>
      "export class $ZodCyclicError extends Error {} export const memoizer = () => undefined; export const isRecursiveSchema = () => false; export const isBackEdge = () => false;",
  },
  {
    // Only docs/openapi.json needs names and descriptions of schemas, and adding a name or description would clone the
    // schema. Every string schema also has a method for each string format, even for unused formats.
    files: /zod\/v4\/classic\/schemas\.js$/,
    replace: (text) =>
      withoutFormats(
        cut(text, /const cl = this\.clone\(\);\s*core\.globalRegistry\.add\(cl, .*\);\s*return cl;/g, "return this;"),
      ),
  },
];

/**
 * Replaces the matching parts of a text.
 *
 * @throws Error if there is none, as after an upgrade of the library
 */
function cut(text: string, pattern: RegExp | string, by = ""): string {
  const rest = text.replace(pattern, by);
  if (rest === text)
    throw new Error(`The library has another form than infra/bundle/trimLibraries.ts expects: ${pattern}`);
  return rest;
}

/** Replaces the class of a file with an empty class of the same name. */
function emptyClass(text: string): string {
  return cut(text, /^[\s\S]*^export class (\w+) \{$[\s\S]*$/m, "export class $1 {}");
}

/**
 * Omits the error classes that no source file of this project names. In their place, the SDK throws the general
 * exception of the AWS service, with the omitted class's `name`.
 */
function withoutErrors(text: string): string {
  const words = wordsOfSources();
  return text.replace(/^\w+\.registerError\(\w+\$, (\w+)\);$/gm, (all, name: string) =>
    words.has(name) || name.endsWith("ServiceException") ? all : "",
  );
}

/** Omits string formats that no schema uses. */
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

/** Omits unused library code from the bundles. */
export const trimLibraries: Plugin = {
  name: "trim libraries",
  setup({ onLoad }) {
    for (const { files, replace } of unused) {
      onLoad({ filter: files }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        const contents = replace(text);
        if (contents === text) throw new Error(`infra/bundle/trimLibraries.ts changes nothing in ${path}`);
        return { contents, loader: path.endsWith(".json") ? "json" : "js" };
      });
    }
  },
};
