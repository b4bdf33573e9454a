/** A JSON schema of the API's description. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean | null;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

const simpleTypes: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
  array: "list[Any]",
  object: "dict[str, Any]",
};

/** Keywords of Python that can be names of fields. A class cannot have such a field. */
const keywords = new Set("and as assert async class def del from global if import in is not or pass with".split(" "));
const isFieldName = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

/**
 * The schemas of the description as Python types: a `TypedDict` for each object, an alias for each other schema. Types check
 * nothing at run time, so that fields and values of later releases do no harm.
 */
export class PythonModels {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #prefix: string;
  readonly #classes = new Map<string, string>();

  /** @param prefix the module of the types, such as `models.` */
  constructor(schemas: Readonly<Record<string, Schema>>, prefix = "") {
    this.#schemas = schemas;
    this.#prefix = prefix;
  }

  /** The definitions of all types. Aliases follow the classes, in the order of their dependencies. */
  toText(): string {
    const aliases = new Map<string, string>();
    const define = (name: string) => {
      if (aliases.has(name) || this.#classes.has(name)) return;
      const schema = this.#schemas[name] ?? {};
      if (schema.properties) return void this.#defineClass(name, schema);
      for (const [, used = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) define(used);
      aliases.set(name, `\n${name}: TypeAlias = ${this.typeOf(schema, name)}\n${docstring(schema, "")}`);
    };
    for (const name of Object.keys(this.#schemas)) define(name);
    return [...this.#classes.values(), ...aliases.values()].join("\n");
  }

  /** The records of a page of a list; undefined for another schema. */
  recordOf(schema: Schema): string | undefined {
    const { data } = this.#schemas[refOf(schema)]?.properties ?? {};
    return data?.items && this.typeOf(data.items);
  }

  /**
   * The Python type of a schema.
   * @param name the name of the class, if the schema is an object of its own
   */
  typeOf(schema: Schema, name = ""): string {
    if (schema.$ref) return this.#prefix + refOf(schema);
    const values = schema.const === undefined ? schema.enum : [schema.const];
    if (values) return `Literal[${values.map((value) => pythonValue(value)).join(", ")}]`;
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return [...new Set(options.map((option, i) => this.typeOf(option, name + (i || ""))))].join(" | ");
    if (schema.properties) return this.#prefix + this.#defineClass(name, schema);
    if (schema.items) return `list[${this.typeOf(schema.items, name)}]`;
    if (typeof schema.additionalProperties === "object") {
      return `dict[str, ${this.typeOf(schema.additionalProperties, name)}]`;
    }
    const types = [schema.type ?? []].flat().map((type) => simpleTypes[type] ?? "Any");
    return types.length > 0 ? types.join(" | ") : "Any";
  }

  #defineClass(name: string, { properties = {}, required = [], ...schema }: Schema): string {
    if (this.#classes.has(name)) return name;
    this.#classes.set(name, "");
    const fields = Object.entries(properties).map(([field, property]) => {
      const type = this.typeOf(property, name + pascalCase(field));
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, property };
    });
    const text = fields.every(({ field }) => isFieldName(field))
      ? `class ${name}(TypedDict):\n${docstring(schema)}${fields
          .map(({ field, type, property }) => `    ${field}: ${type}\n${docstring(property)}`)
          .join("")}${fields.length === 0 ? "    pass\n" : ""}`
      : `${name} = TypedDict("${name}", {\n${fields
          .map(({ field, type }) => `    "${field}": ${JSON.stringify(type)},\n`)
          .join("")}})\n${docstring(schema, "")}`;
    // A class is placed after the classes of its fields.
    this.#classes.delete(name);
    this.#classes.set(name, `\n${text}`);
    return name;
  }
}

const refOf = ({ $ref = "" }: Schema): string => $ref.replace("#/components/schemas/", "");

const docstring = ({ description }: Schema, indent = "    "): string =>
  description ? `${indent}r"""${description.replaceAll('"""', "'''")}"""\n` : "";

const pascalCase = (name: string): string => name.replaceAll(/(?:^|[^A-Za-z0-9])(\w)/g, (_, one) => one.toUpperCase());

function pythonValue(value: string | number | boolean | null): string {
  if (value === null) return "None";
  return typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
}
