import type { IncomingHttpHeaders } from "node:http";
import { render } from "velocityjs";
import type { MockIntegration } from "./methods.ts";

export interface GatewayAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Buffer;
}

/** Response types of the gateway that a mock integration can end in. */
export class MockFailure extends Error {
  readonly responseType: "UNSUPPORTED_MEDIA_TYPE" | "API_CONFIGURATION_ERROR";

  constructor(responseType: MockFailure["responseType"]) {
    super(responseType);
    this.responseType = responseType;
  }
}

/**
 * The response of a mock integration. Its request template yields a status, which selects a response; that response's
 * template is the body.
 *
 * @throws MockFailure if no template matches the content type, or no response the status
 */
export function mockAnswer(
  integration: MockIntegration,
  headers: IncomingHttpHeaders,
  requestId: string,
): GatewayAnswer {
  const type = (headers["content-type"] ?? "application/json").split(";")[0]?.trim() ?? "";
  const template = integration.RequestTemplates[type];
  if (template === undefined && integration.PassthroughBehavior === "NEVER") {
    throw new MockFailure("UNSUPPORTED_MEDIA_TYPE");
  }
  const status = String(JSON.parse(render(template ?? "{}", contextOf(headers))).statusCode);
  const { IntegrationResponses: all } = integration;
  const chosen =
    all.find(({ SelectionPattern: pattern }) => pattern && new RegExp(`^(?:${pattern})$`).test(status)) ??
    all.find(({ SelectionPattern: pattern }) => !pattern);
  if (!chosen) throw new MockFailure("API_CONFIGURATION_ERROR");
  const context = contextOf(headers);
  const body = render(chosen.ResponseTemplates["application/json"] ?? "", context);
  const mapped = Object.entries(chosen.ResponseParameters ?? {}).map(([name, value]) => [
    name.replace(/^method\.response\.header\./, ""),
    headerValue(value, headers, requestId),
  ]);
  return {
    status: Number(chosen.StatusCode),
    headers: {
      "Content-Type": "application/json",
      ...Object.fromEntries(mapped),
      ...context.context.responseOverride.header,
    },
    body,
  };
}

/** The value that a mapping gives a header: a quoted text, the request's id, or one of its headers. */
export function headerValue(mapping: string, headers: IncomingHttpHeaders, requestId: string): string {
  const [, text] = /^'(.*)'$/s.exec(mapping) ?? [];
  if (text !== undefined) return text;
  if (mapping === "context.requestId") return requestId;
  const [, name] = /^method\.request\.header\.(.+)$/.exec(mapping) ?? [];
  if (name === undefined) throw new Error(`the template maps ${mapping}, which the test stage does not know`);
  return String(headers[name.toLowerCase()] ?? "");
}

/** The variables of templates, `$input` and `$context`, as far as this project uses them. */
function contextOf(headers: IncomingHttpHeaders) {
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return {
    input: { params: () => ({ header: { keySet: () => [...sent.keys()], get: (name: string) => sent.get(name) } }) },
    context: { responseOverride: { header: {} as Record<string, string> } },
  };
}
