import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { invokeVersions } from "../../../../infra/deploy/release/invokeVersions.ts";
import { close, listen } from "../../../../infra/local/listen.ts";
import { runHere } from "../../local/runHere.ts";

const arn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:business-data-sandbox-api-${name}`;
const member = (type: string, id: string) =>
  `<member><ResourceType>AWS::${type}</ResourceType><PhysicalResourceId>${id}</PhysicalResourceId><ResourceStatus>CREATE_COMPLETE</ResourceStatus></member>`;

/** The files of functions, and their versions in the stacks; one more version belongs to an earlier release. */
const files: Record<string, string> = { Get: "crbs/getCrb", Search: "customers/searchCustomers", Docs: "pages/docs" };
const stacks: Record<string, string> = {
  "business-data-sandbox-api": member("CloudFormation::Stack", "inner") + member("Lambda::Version", `${arn("Docs")}:3`),
  inner: [
    member("Lambda::Function", "business-data-sandbox-api-Get"),
    member("Lambda::Version", `${arn("Get")}:2`),
    member("Lambda::Version", `${arn("Search")}:8`),
  ].join(""),
};

/** Responds as CloudFormation and Lambda do. @returns the invoked versions, with their events */
async function invokeOn(answers: Record<string, { status?: number; body: object; crashes?: true }>) {
  const invoked: Record<string, Record<string, unknown>> = {};
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const stack = /StackName=([\w-]+)/.exec(sent)?.[1];
    if (stack) {
      const result = `<ListStackResourcesResult><StackResourceSummaries>${stacks[stack]}</StackResourceSummaries></ListStackResourcesResult>`;
      response.writeHead(200, { "Content-Type": "text/xml" });
      return void response.end(`<ListStackResourcesResponse>${result}</ListStackResourcesResponse>`);
    }
    const [, name = "", version] =
      /\/functions\/[\w-]+-(\w+)\/invocations\?Qualifier=(\d+)$/.exec(request.url ?? "") ?? [];
    if (version === undefined) {
      const Functions = Object.entries(files).map(([name, file]) => ({
        FunctionName: `business-data-sandbox-api-${name}`,
        Description: `functions/${file}.ts`,
        Environment: { Variables: { STAGE: "sandbox" } },
      }));
      return void response.end(JSON.stringify({ Functions }));
    }
    invoked[`${name}:${version}`] = JSON.parse(sent);
    const { status = 200, body, crashes } = answers[name] ?? { body: { statusCode: 401 } };
    response.writeHead(status, { ...(crashes && { "X-Amz-Function-Error": "Unhandled" }) }).end(JSON.stringify(body));
  });
  onTestFinished(() => close(server));
  vi.stubEnv("AWS_ENDPOINT_URL", `http://127.0.0.1:${await listen(server, 0)}`);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "x");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "x");
  onTestFinished(() => void vi.unstubAllEnvs());
  const result = await runHere((_, terminal) => invokeVersions("sandbox", "us-east-1", terminal), []);
  return { invoked, ...result };
}

test("every version of the release's template is invoked once, with a request to its route without a credential", async () => {
  const { invoked, code, out, err } = await invokeOn({});
  expect({ code, out, err }).toEqual({
    code: 0,
    out: "Invoked the new versions of all 3 functions of the API: none fails.\n",
    err: "",
  });
  expect(Object.keys(invoked).sort()).toEqual(["Docs:3", "Get:2", "Search:8"]);
  expect(invoked["Get:2"]).toMatchObject({ httpMethod: "GET", resource: expect.stringMatching(/\/crbs\/\{crb_id\}$/) });
  expect(JSON.stringify(invoked)).not.toContain("Authorization");
});

test("new code that crashes, responds with 5xx or does not start is named", async () => {
  const { code, err } = await invokeOn({
    Docs: { body: { errorType: "Runtime.ImportModuleError" }, crashes: true },
    Get: { body: { statusCode: 500 } },
    Search: { status: 400, body: { __type: "InvalidParameterValueException", message: "no" } },
  });
  expect(code).toBe(1);
  expect(err).toMatch(
    /^Functions of this release fail: functions\/crbs\/getCrb\.ts \(\{"statusCode":500\}\), functions\/customers\/searchCustomers\.ts \(.*\), functions\/pages\/docs\.ts \(\{"errorType":"Runtime\.ImportModuleError"\}\)\.\n$/,
  );
});
