import { createWriteStream } from "node:fs";
import type { AddressInfo } from "node:net";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { FunctionHost } from "../../../infra/local/functionHost.ts";
import { createGateway } from "../../../infra/local/server.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { sharesOf, startProfile } from "../profile.ts";

// Runs the HTTP server of the local stage with its function host twice in one process: with the functions of the project, and
// with a function that responds at once instead of each.

const host = () => new FunctionHost(process.env, createWriteStream("/dev/null"));
const hosts = { service: host(), empty: host() };
const emptyFunction = functionFile(new URL("./emptyFunction.ts", import.meta.url));
const profilerFunction = functionFile(new URL("./profilerFunction.ts", import.meta.url));
const emptyOperationRegistry = operationRegistry.map((operation) => ({ ...operation, handler: emptyFunction }));

/** The name of a file for a function host: its path from functions/. */
function functionFile(file: URL): string {
  return relative(fileURLToPath(new URL("../../../functions", import.meta.url)), fileURLToPath(file)).replace(
    ".ts",
    "",
  );
}

async function listen(name: keyof typeof hosts): Promise<number> {
  const server = createGateway({
    operationRegistry: name === "empty" ? emptyOperationRegistry : operationRegistry,
    allowedOrigins: [],
    invoke: (...call) => hosts[name].invoke(...call),
    isReady: () => true,
    report: () => undefined,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

process.send?.({ ports: { service: await listen("service"), empty: await listen("empty") } });

const inThread = () => hosts.service.invoke(profilerFunction, {}, "profile");
let stop: Awaited<ReturnType<typeof startProfile>> | undefined;
process.on("message", async () => {
  if (stop) {
    const shares = { server: sharesOf(await stop()), functions: await inThread() };
    process.send?.({ shares });
  } else {
    stop = await startProfile();
    await inThread();
  }
});
