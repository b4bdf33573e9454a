import type { Connector } from "./connector.ts";
import { sandboxConnector } from "./sandbox/sandboxConnector.ts";

/**
 * The connector of a POS type, or undefined where there is none in this stage. With POS_CONNECTORS=sandbox (the local and
 * the sandbox stage) every type is simulated, its time moving every SANDBOX_TICK_SECONDS (900 unless set).
 */
export function findConnector(_posType: string): Connector | undefined {
  return process.env.POS_CONNECTORS === "sandbox" ? sandboxConnector(sandboxTickSeconds()) : undefined;
}

function sandboxTickSeconds(): number {
  const seconds = Number(process.env.SANDBOX_TICK_SECONDS ?? 900);
  if (!(seconds > 0)) {
    throw new Error("SANDBOX_TICK_SECONDS must be a number above 0");
  }
  return seconds;
}
