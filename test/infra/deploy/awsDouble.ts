import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { close, listen } from "../../../infra/local/listen.ts";

// Services of AWS that respond as a test says, for programs that call them.

/** A call of an AWS service. */
export interface AwsCall {
  request: IncomingMessage;
  url: string;
  /** The body. */
  sent: string;
  /** The name of the action, if the service has one endpoint for all. */
  action: string;
}

/** A response: XML as text, JSON as an object. */
export interface AwsAnswer {
  status?: number;
  body: string | object;
  headers?: Record<string, string>;
}

/** Until the end of the test, every service responds so, and STS with the account 123456789012. */
export async function respondAsAws(answerTo: (call: AwsCall) => AwsAnswer): Promise<void> {
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const target = String(request.headers["x-amz-target"] ?? "");
    const action = /\bAction=(\w+)/.exec(sent)?.[1] ?? target.slice(target.lastIndexOf(".") + 1);
    const account = xmlOf("GetCallerIdentity", "<Account>123456789012</Account>");
    const call = { request, url: request.url ?? "", sent, action };
    const { status = 200, body, headers } = action === "GetCallerIdentity" ? { body: account } : answerTo(call);
    const isXml = typeof body === "string";
    response.writeHead(status, { "Content-Type": isXml ? "text/xml" : "application/json", ...headers });
    response.end(isXml ? body : JSON.stringify(body));
  });
  onTestFinished(() => {
    // A failed deployment leaves calls open, and `close` waits for them.
    server.closeAllConnections();
    return close(server);
  });
  vi.stubEnv("AWS_ENDPOINT_URL", `http://127.0.0.1:${await listen(server, 0)}`);
  vi.stubEnv("AWS_REGION", "us-west-2");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "x");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "x");
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** The result of an action in XML. */
export const xmlOf = (action: string, result: string): string =>
  `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`;

/** An error in XML. */
export const xmlErrorOf = (code: string, message: string, status = 400): AwsAnswer => ({
  status,
  body: `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

export const noSuchStack = xmlErrorOf("ValidationError", "Stack with id x does not exist");

/** A deployed stack, as CloudFormation describes it. */
export function stackOf(outputs: Record<string, string>, parameters: Record<string, string> = {}): AwsAnswer {
  const list = (one: string, entries: Record<string, string>) =>
    Object.entries(entries)
      .map(([key, value]) => `<member><${one}Key>${key}</${one}Key><${one}Value>${value}</${one}Value></member>`)
      .join("");
  const stack = `<StackStatus>UPDATE_COMPLETE</StackStatus><Parameters>${list("Parameter", parameters)}</Parameters><Outputs>${list("Output", outputs)}</Outputs>`;
  return { body: xmlOf("DescribeStacks", `<Stacks><member>${stack}</member></Stacks>`) };
}

/** The resources of a stack, as CloudFormation lists them. */
export function resourcesOf(...resources: (readonly [type: string, id: string, status?: string])[]): AwsAnswer {
  const members = resources.map(
    ([type, id, status = "CREATE_COMPLETE"]) =>
      `<member><ResourceType>AWS::${type}</ResourceType><PhysicalResourceId>${id}</PhysicalResourceId><ResourceStatus>${status}</ResourceStatus></member>`,
  );
  const result = `<StackResourceSummaries>${members.join("")}</StackResourceSummaries>`;
  return { body: xmlOf("ListStackResources", result) };
}

/** A function, as Lambda lists it. */
export const functionOf = (name: string, stage?: string, handler?: string): object => ({
  FunctionName: name,
  ...(stage && { Environment: { Variables: { STAGE: stage } } }),
  ...(handler && { Description: `functions/${handler}.ts` }),
});
