import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import ts from "typescript";

/** A call of a method of `Table` or `Bucket`, or of the function `writeToJournal`. */
export interface ResourceCall {
  resource: "table" | "bucket" | "journal";
  method: string;
  /** The imports from the folder of keys that lead to the call's arguments, such as `crbKey` or `recordList:sale`. */
  keys: readonly string[];
  /** Whether other functions build some of the keys. */
  hasBuiltKeys: boolean;
  /** The index that the call names; `order` if the index is that of a list's order. */
  index?: string;
  /** For the journal, the kind of the entry. */
  kind?: string;
}

/** What one declaration at the top level of a module refers to. */
export interface Declaration {
  calls: readonly ResourceCall[];
  /** Its imports from the folder of keys. */
  keys: ReadonlySet<string>;
  /** The other declarations of this project that it refers to, as `file#name`. */
  references: ReadonlySet<string>;
  /** Its names of environment variables. */
  variables: ReadonlySet<string>;
}

export const keysFolder = "shared/store/keys/";

interface Module {
  imports: ReadonlyMap<string, { file: string; name: string }>;
  declarations: ReadonlyMap<string, ts.Node[]>;
}

const modules = new Map<string, Module>();
const read = new Map<string, Declaration>();

/**
 * Reads a declaration from the source text, without types. `*` names all declarations of a file.
 *
 * @param id `file#name`, with the file's path from the root of the project
 */
export function readDeclaration(id: string): Declaration {
  const known = read.get(id);
  if (known) return known;
  const [file = "", name = ""] = id.split("#");
  const module = loadModule(file);
  const nodes = name === "*" ? [...module.declarations.values()].flat() : (module.declarations.get(name) ?? []);
  if (nodes.length === 0) throw new Error(`${file} declares no ${name}`);
  const declaration = inspect(file, module, nodes);
  read.set(id, declaration);
  return declaration;
}

function loadModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const imports = new Map<string, { file: string; name: string }>();
  const declarations = new Map<string, ts.Node[]>();
  const declare = (name: string, node: ts.Node) => declarations.set(name, [...(declarations.get(name) ?? []), node]);
  for (const statement of ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ESNext, true)
    .statements) {
    if (ts.isImportDeclaration(statement)) {
      for (const [local, target] of importedNames(file, statement)) imports.set(local, target);
    } else if (ts.isVariableStatement(statement)) {
      for (const each of statement.declarationList.declarations) {
        for (const name of boundNames(each.name)) declare(name, each);
      }
    } else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      declare(statement.name?.text ?? "default", statement);
    }
  }
  const module = { imports, declarations };
  modules.set(file, module);
  return module;
}

/** The values, not types, that a declaration imports from files of this project. */
function importedNames(file: string, { moduleSpecifier, importClause }: ts.ImportDeclaration) {
  const from = (moduleSpecifier as ts.StringLiteral).text;
  const names: [string, { file: string; name: string }][] = [];
  if (!from.startsWith(".") || !from.endsWith(".ts") || !importClause || importClause.isTypeOnly) return names;
  const target = join(dirname(file), from);
  const { namedBindings: bindings } = importClause;
  if (bindings && ts.isNamespaceImport(bindings)) names.push([bindings.name.text, { file: target, name: "*" }]);
  if (bindings && ts.isNamedImports(bindings)) {
    for (const { name, propertyName = name, isTypeOnly } of bindings.elements) {
      if (!isTypeOnly) names.push([name.text, { file: target, name: propertyName.text }]);
    }
  }
  return names;
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

function inspect(file: string, module: Module, nodes: readonly ts.Node[]): Declaration {
  const found = {
    calls: [] as ResourceCall[],
    keys: new Set<string>(),
    references: new Set<string>(),
    variables: new Set<string>(),
  };
  const visit = (node: ts.Node, locals: ReadonlyMap<string, ts.Node[]>): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node)) {
      const call = resourceCall(node, (argument) => originOf(argument, module, locals));
      if (call) found.calls.push(call);
      const [argument] = node.arguments;
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword && argument && ts.isStringLiteral(argument)) {
        if (argument.text.startsWith(".")) found.references.add(`${join(dirname(file), argument.text)}#*`);
      }
    }
    if (ts.isStringLiteral(node) && isVariable(node.text)) found.variables.add(node.text);
    if (ts.isIdentifier(node) && isVariable(node.text)) found.variables.add(node.text);
    if (ts.isIdentifier(node) && isReference(node)) {
      const imported = module.imports.get(node.text);
      if (imported?.file.startsWith(keysFolder)) found.keys.add(keyName(node, imported.name));
      else if (imported) found.references.add(`${imported.file}#${imported.name}`);
      else if (module.declarations.has(node.text)) found.references.add(`${file}#${node.text}`);
    }
    ts.forEachChild(node, (child) => visit(child, locals));
  };
  for (const node of nodes) visit(node, localsOf(node));
  return found;
}

const isVariable = (text: string) => /^[A-Z]+(_[A-Z]+)+$/.test(text);

/** Whether an identifier refers to a value, and is not the name of a property. */
function isReference({ parent, text }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text !== text || isSame(parent.expression, text);
  return !(ts.isPropertyAssignment(parent) && isSame(parent.name, text) && !isSame(parent.initializer, text));
}

const isSame = (node: ts.Node, text: string): boolean => ts.isIdentifier(node) && node.text === text;

/** The initial values of the variables in a declaration, by name. */
function localsOf(root: ts.Node): Map<string, ts.Node[]> {
  const locals = new Map<string, ts.Node[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      for (const name of boundNames(node.name)) locals.set(name, [...(locals.get(name) ?? []), node.initializer]);
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return locals;
}

/** The origin of an argument: its expression, and the values of the variables that it names. */
interface Origin {
  keys: string[];
  hasBuiltKeys: boolean;
  text: string;
}

function originOf(root: ts.Node, { imports, declarations }: Module, locals: ReadonlyMap<string, ts.Node[]>): Origin {
  const keys = new Set<string>();
  const seen = new Set<ts.Node>();
  let hasBuiltKeys = false;
  let text = root.getText();
  const visit = (node: ts.Node): void => {
    if (seen.has(node) || ts.isTypeNode(node)) return;
    seen.add(node);
    if (ts.isIdentifier(node) && isReference(node)) {
      const imported = imports.get(node.text);
      if (imported?.file.startsWith(keysFolder)) keys.add(keyName(node, imported.name));
      else if (imported || declarations.has(node.text)) hasBuiltKeys = true;
      for (const value of locals.get(node.text) ?? []) {
        if (!seen.has(value)) text += `\n${value.getText()}`;
        visit(value);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return { keys: [...keys], hasBuiltKeys, text };
}

/** The name of a key function; for the list of a known kind of records, also the kind. */
function keyName({ parent }: ts.Identifier, name: string): string {
  const kind = ts.isCallExpression(parent) ? parent.arguments[1] : undefined;
  return name === "recordList" && kind && ts.isStringLiteral(kind) ? `${name}:${kind.text}` : name;
}

function resourceCall(
  { expression, arguments: [first, ...others] }: ts.CallExpression,
  trace: (argument: ts.Node) => Origin,
): ResourceCall | undefined {
  if (isSame(expression, "writeToJournal")) {
    const [, kind] = /kind: "(\w+)"/.exec(others[0] ? trace(others[0]).text : "") ?? [];
    return { resource: "journal", method: "write", keys: [], hasBuiltKeys: false, ...(kind !== undefined && { kind }) };
  }
  if (!ts.isPropertyAccessExpression(expression) || !first) return undefined;
  const [, resource] = /(table|bucket)(\(\))?$/i.exec(expression.expression.getText()) ?? [];
  if (!resource) return undefined;
  const { keys, hasBuiltKeys } = trace(first);
  const [, literal, named] = /\bindex(?:: "(\w+)"|(: ))/.exec(others[0]?.getText() ?? "") ?? [];
  return {
    resource: resource.toLowerCase() as "table" | "bucket",
    method: expression.name.text,
    keys,
    hasBuiltKeys,
    ...((literal !== undefined || named !== undefined) && { index: literal ?? "order" }),
  };
}
