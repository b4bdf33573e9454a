import type { Deployed, Deployment } from "./deployment.ts";

/** The response of a method without a function, see `mockAnswer`. */
export interface MockIntegration {
  Type: "MOCK";
  PassthroughBehavior: string;
  RequestTemplates: Record<string, string>;
  IntegrationResponses: {
    StatusCode: string;
    SelectionPattern?: string;
    ResponseParameters?: Record<string, string>;
    ResponseTemplates: Record<string, string>;
  }[];
}

/** A method of the API: one route. */
export interface Method {
  httpMethod: string;
  /** Parameters are in braces. */
  path: string;
  /** The ARN of the function, or its mock integration. */
  integration: string | MockIntegration;
}

/**
 * The methods of the deployed API.
 *
 * @throws Error if the gateway may not call a method's function
 */
export function methodsOf(deployment: Deployment): Method[] {
  const resources = new Map(deployment.resources("AWS::ApiGateway::Resource").map((each) => [each.name, each]));
  const callable = new Set(
    deployment
      .resources("AWS::Lambda::Permission")
      .filter(({ properties }) => properties.Principal === "apigateway.amazonaws.com")
      .map(({ properties }) => properties.FunctionName),
  );
  return deployment.resources("AWS::ApiGateway::Method").map(({ id, properties }) => {
    const { HttpMethod, ResourceId, Integration } = properties;
    const path = pathOf(resources, ResourceId);
    if (Integration.Type === "MOCK") return { httpMethod: HttpMethod, path, integration: Integration };
    const [, called = ""] = /functions\/(arn:.*)\/invocations$/.exec(Integration.Uri) ?? [];
    if (Integration.Type !== "AWS_PROXY" || !callable.has(called)) throw new Error(`${id} leads to nothing`);
    return { httpMethod: HttpMethod, path, integration: called };
  });
}

function pathOf(resources: ReadonlyMap<string, Deployed>, id: string): string {
  const resource = resources.get(id);
  if (!resource) return "";
  return `${pathOf(resources, resource.properties.ParentId)}/${resource.properties.PathPart}`;
}

/** The method for a request, and its decoded path parameters. */
export function findMethod(
  methods: readonly Method[],
  httpMethod: string,
  path: string,
): { method: Method; parameters: Record<string, string> } | undefined {
  // Literal segments take precedence over parameters.
  const inOrder = methods.toSorted((one, other) => one.path.split("{").length - other.path.split("{").length);
  for (const method of inOrder) {
    const parameters = method.httpMethod === httpMethod ? match(method.path, path) : undefined;
    if (parameters) return { method, parameters };
  }
  return undefined;
}

function match(template: string, path: string): Record<string, string> | undefined {
  const names: string[] = [];
  const pattern = template.replaceAll(/\{(\w+)\}|[.]/g, (part, name) => {
    if (!name) return `\\${part}`;
    names.push(name);
    return "([^/]+)";
  });
  const found = new RegExp(`^${pattern}$`).exec(path);
  return found ? Object.fromEntries(names.map((name, index) => [name, decode(found[index + 1] ?? "")])) : undefined;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
