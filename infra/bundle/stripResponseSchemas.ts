import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import ts from "typescript";

/** Properties of a registry entry that no handler reads. docs/openapi.json, the mock stage and tests use them. */
const described = new Set(["success", "requests", "errors", "rejections", "summary", "description"]);

/**
 * Methods that give a schema a name or a description. No handler needs names or descriptions, so `trimLibraries` makes
 * these methods return the schema unchanged.
 */
const describing = new Set(["describe", "meta"]);

/**
 * Removes the descriptions of responses from the bundles. Most of them are response schemas, which would take a seventh
 * of a function's load time. The plugin sets the properties in `described` to undefined in the operation registry, and
 * marks calls in constants as pure. esbuild then removes all code that has become unused. The remaining schemas lose
 * their names and descriptions.
 */
export const stripResponseSchemas: Plugin = {
  name: "without answers",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]shared[\\/].*\.ts$/ }, ({ path }) => ({
      contents: shortOf(path, readFileSync(path, "utf8")),
      loader: "ts",
    }));
  },
};

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** Caches the shortened text of each file, since esbuild reads most files several times for one set of bundles. */
const known = new Map<string, { text: string; short: string }>();

function shortOf(path: string, text: string): string {
  const before = known.get(path);
  if (before?.text === text) return before.short;
  const short = shorten(path, text);
  known.set(path, { text, short });
  return short;
}

function shorten(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const edits = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => (initializer ? editsOf(initializer) : []));
  let shortened = text;
  for (const { from, to, text: by } of edits.sort((one, other) => other.from - one.from)) {
    shortened = shortened.slice(0, from) + by + shortened.slice(to);
  }
  return shortened;
}

function editsOf(node: ts.Node): Edit[] {
  // A call inside a function may have side effects, so it is not marked as pure.
  if (ts.isFunctionLike(node)) return [];
  const from = node.getStart();
  if (ts.isPropertyAssignment(node) && isDescription(node)) {
    return [{ from, to: node.getEnd(), text: `${node.name.getText()}: undefined` }];
  }
  if (ts.isCallExpression(node) && isDescribing(node)) {
    const { expression: schema } = node.expression as ts.PropertyAccessExpression;
    return [...editsOf(schema), { from: schema.getEnd(), to: node.getEnd(), text: "" }];
  }
  const inside: Edit[] = [];
  ts.forEachChild(node, (child) => {
    inside.push(...editsOf(child));
  });
  return ts.isCallExpression(node) ? [...inside, { from, to: from, text: "/* @__PURE__ */ " }] : inside;
}

/** Whether a call sets a description. A call without arguments reads the description. */
function isDescribing({ expression, arguments: given }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && describing.has(expression.name.text) && given.length > 0;
}

function isDescription({ name, parent }: ts.PropertyAssignment): boolean {
  const entry = ts.isCallExpression(parent.parent) && parent.parent.expression.getText() === "defineOperation";
  return entry && described.has(name.getText());
}
