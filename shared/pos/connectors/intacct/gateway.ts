import { randomUUID } from "node:crypto";
import { PosError } from "../../connector.ts";
import { type PosCall, type PosClient, type PosResponse, readText } from "../../framework/posClient.ts";
import { toPosError } from "../../framework/toPosError.ts";
import { type Errors, type Response, response } from "./responses.ts";
import { type Elements, readXml, writeXml } from "./xml.ts";

export const gatewayPath = "/ia/xml/xmlgw.phtml";

/** The credentials that Intacct issued to this service. */
export interface Sender {
  id: string;
  /** a secret */
  password: string;
}

interface GatewayCall {
  /** full URL of the endpoint */
  endpoint: string;
  /** the login of a user or the id of a session */
  authentication: Elements;
  /** the function to call, as an element with the function's name */
  ask: Elements;
  /** the function's name without parameter values, for the log */
  pattern: string;
}

/** Maximum size of a response, which is parsed in memory as a whole. A page of a thousand rows is smaller. */
const maxBytes = 16 * 1024 ** 2;

/**
 * Calls a function. A request to Intacct's only endpoint contains the function as XML. The response is XML with HTTP status
 * 200, even for failures.
 *
 * @returns the function's result, and the time on Intacct's clock
 * @throws PosError "credentialsRefused" for an invalid login or session; "notPermitted" if the user lacks a permission;
 * "unreachable" if Intacct rejects this service, which says nothing about the business
 */
export async function callGateway(
  { client, sender, rateLimitBucket }: { client: PosClient; sender: Sender; rateLimitBucket: string },
  { endpoint, authentication, ask, pattern }: GatewayCall,
  options: Partial<PosCall> = {},
): Promise<{ data: unknown; date: Date | null }> {
  const { id: senderid, password } = sender;
  const controlid = randomUUID();
  const answer = await client.call({
    url: endpoint,
    path: { text: "", pattern: `${gatewayPath} ${pattern}` },
    headers: { accept: "application/xml", "content-type": "application/xml" },
    rateLimitBucket,
    text: writeXml({
      request: {
        control: { senderid, password, controlid, uniqueid: false, dtdversion: "3.0", includewhitespace: false },
        operation: { authentication, content: { function: { "@controlid": controlid, ...ask } } },
      },
    }),
    maxBytes,
    read: async (chunks) => readXml(await readText(chunks)),
    ...options,
  });
  if (answer.status !== 200) throw rejectionOf(answer);
  const body = response.safeParse(answer.body).data?.response;
  if (!body) throw new PosError("notUnderstood", { code: "envelope" });
  return { data: dataOf(body), date: answer.date };
}

/** @throws PosError if the response reports a failure; the part of the response with the error decides the kind */
function dataOf({ control, errormessage, operation }: Response): unknown {
  if (!isGood(control)) throw new PosError("unreachable", { code: codeOf(errormessage) ?? "control" });
  if (!operation) throw new PosError("notUnderstood", { code: "envelope" });
  const { authentication, result } = operation;
  if (!isGood(authentication)) {
    throw new PosError("credentialsRefused", { code: codeOf(operation.errormessage) ?? "authentication" });
  }
  if (!result) throw new PosError("notUnderstood", { code: "envelope" });
  if (isGood(result)) return result.data;
  const code = codeOf(result.errormessage) ?? "result";
  throw new PosError(isOfPermission(result.errormessage) ? "notPermitted" : "notUnderstood", { code });
}

const isGood = ({ status }: { status: string | null }) => status === "success";

/** Intacct's error code. Intacct's error texts must not reach the log. */
function codeOf(errors: Errors): string | undefined {
  const [code = ""] = errors.map(({ errorno }) => errorno ?? "");
  return isCode.test(code) ? code : undefined;
}

const isCode = /^[A-Z]{2}\d{8}$/;

const isOfPermission = (errors: Errors) =>
  errors.some(({ errorno, description2 }) => errorno === "PL04000005" || /\bpermission/i.test(description2 ?? ""));

/** Whether a failure concerns one object only: the user may not read it, or the company lacks it. */
export const isOfObject = ({ failure, code }: PosError) => failure === "notPermitted" || code === "DL03000003";

/** The failure for a status other than 200. 498 means an expired session, 400 with GW-0011 an invalid login. */
function rejectionOf(answer: PosResponse): PosError {
  const { status, body } = answer;
  const text = typeof body === "string" ? body : "";
  if (status === 498) return new PosError("credentialsRefused", { code: "498" });
  if (status === 400 && text.includes("GW-0011")) return new PosError("credentialsRefused", { code: "GW-0011" });
  // `toPosError` takes a body that begins with `<` for the page of a proxy. So the body is removed if it is an XML response
  // of Intacct.
  return toPosError(/<response[\s>]/.test(text) ? { ...answer, body: undefined } : answer);
}
