import { readFileSync } from "node:fs";

/** A response that API Gateway gives without the function, as in the table of docs/operations/gateway-responses.md. */
export interface GatewayError {
  type: string;
  status: number;
  /** The name in the error record of the specification. */
  name: string;
  /** Where a test sees it: in a response of the AWS emulator, or only in the template. */
  shown: "emulator" | "template";
}

/** The rows of the table, in order. */
export function gatewayErrors(): GatewayError[] {
  const runbook = readFileSync(new URL("../docs/operations/gateway-responses.md", import.meta.url), "utf8");
  const rows = runbook.matchAll(/^\| `([A-Z0-9_]+)` \| .+ \| (\d{3}) ([A-Za-z ]+) \| (emulator|template) \|$/gm);
  return [...rows].map(([, type = "", status, name = "", shown]) => ({
    type,
    status: Number(status),
    name,
    shown: shown as GatewayError["shown"],
  }));
}
