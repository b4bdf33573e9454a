import { expect, test } from "vitest";
import { invokeVersions } from "../../../../infra/deploy/release/invokeVersions.ts";
import { runHere } from "../../local/runHere.ts";
import { type AwsAnswer, functionOf, resourcesOf, respondAsAws } from "../awsDouble.ts";

const arn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:business-data-sandbox-api-${name}`;
/** The files of functions, and their versions in the stacks; one more version belongs to an earlier release. */
const files: Record<string, string> = { Get: "crbs/getCrb", Search: "customers/searchCustomers", Docs: "pages/docs" };
const stacks: Record<string, AwsAnswer> = {
  "business-data-sandbox-api": resourcesOf(["CloudFormation::Stack", "inner"], ["Lambda::Version", `${arn("Docs")}:3`]),
  inner: resourcesOf(
    ["Lambda::Function", "business-data-sandbox-api-Get"],
    ["Lambda::Version", `${arn("Get")}:2`],
    ["Lambda::Version", `${arn("Search")}:8`],
  ),
};

/** Responds as CloudFormation and Lambda do. @returns the invoked versions, with their events */
async function invokeOn(answers: Record<string, { status?: number; body: object; crashes?: true }>) {
  const invoked: Record<string, Record<string, unknown>> = {};
  await respondAsAws(({ url, sent }) => {
    const stack = stacks[/StackName=([\w-]+)/.exec(sent)?.[1] ?? ""];
    if (stack) return stack;
    const [, name = "", version] = /\/functions\/[\w-]+-(\w+)\/invocations\?Qualifier=(\d+)$/.exec(url) ?? [];
    if (version === undefined) {
      const all = Object.entries(files);
      return {
        body: { Functions: all.map(([id, file]) => functionOf(`business-data-sandbox-api-${id}`, "sandbox", file)) },
      };
    }
    invoked[`${name}:${version}`] = JSON.parse(sent);
    const { crashes, ...answer } = answers[name] ?? { body: { statusCode: 401 } };
    return { ...answer, ...(crashes && { headers: { "X-Amz-Function-Error": "Unhandled" } }) };
  });
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
