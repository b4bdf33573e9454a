interface Parameter {
  in: string;
  name: string;
}

interface Described {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: object;
}

/**
 * Makes all operations refer to one shared path parameter per name. An id typed into one operation of the reference
 * page then appears in the other operations, too.
 */
export function withSharedParameters<D extends Described>(document: D): D {
  const parameters: Record<string, Parameter> = {};
  const share = (parameter: Parameter) => {
    if (parameter.in !== "path") return parameter;
    parameters[parameter.name] ??= parameter;
    return { $ref: `#/components/parameters/${parameter.name}` };
  };
  const paths = mapValues(document.paths, (path) =>
    mapValues(path, (operation) => ({
      ...operation,
      ...(operation.parameters && { parameters: operation.parameters.map(share) }),
    })),
  );
  return { ...document, paths, components: { ...document.components, parameters } };
}

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
