import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import type { Context } from "aws-lambda";
import type { Answer, Invocation } from "./functionHost.ts";

// Runs inside a function host's thread, with its own modules and process.env, like a Lambda sandbox. The host writes the
// functions' output to the log file.

// Later threads reuse the compiled code, which more than halves the load time of a function.
enableCompileCache(join(import.meta.dirname, "..", "..", "node_modules", ".cache", "functions"));

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** The Lambda context object, with the members that Node 24 functions can use. 15 minutes is the maximum on AWS. */
function lambdaContext(invocation: Invocation): Context {
  const deadline = Date.now() + 15 * 60_000;
  const name = invocation.file.replaceAll("/", "-");
  return {
    awsRequestId: invocation.requestId,
    functionName: name,
    functionVersion: "$LATEST",
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    memoryLimitInMB: "1024",
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: "local",
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}

async function invoke(invocation: Invocation): Promise<Answer> {
  try {
    const module: { handler: Handler } = await import(invocation.module);
    return { id: invocation.id, result: await module.handler(invocation.event, lambdaContext(invocation)) };
  } catch (error) {
    return { id: invocation.id, error };
  }
}

parentPort?.on("message", async (invocation: Invocation) => parentPort?.postMessage(await invoke(invocation)));
