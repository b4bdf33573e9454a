import { readFileSync } from "node:fs";

/** A way in which API Gateway answers by itself, as the table in docs/operations.md has it. */
export interface GatewayError {
  type: string;
  status: number;
  /** As in the error record of the specification. */
  name: string;
  /** Where a test sees it: made by the emulator of AWS, or in the template alone. */
  shown: "emulator" | "template";
}

/** The rows of the table, in their order. */
export function gatewayErrors(): GatewayError[] {
  const runbook = readFileSync(new URL("../docs/operations.md", import.meta.url), "utf8");
  const rows = runbook.matchAll(/^\| `([A-Z0-9_]+)` \| .+ \| (\d{3}) ([A-Za-z ]+) \| (emulator|template) \|$/gm);
  return [...rows].map(([, type = "", status, name = "", shown]) => ({
    type,
    status: Number(status),
    name,
    shown: shown as GatewayError["shown"],
  }));
}
