import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type FunctionSize, functionSizes } from "../../../infra/constructs/functionSizes.ts";
import { nodeOptions } from "../../../infra/constructs/nodeOptions.ts";

test.each(Object.keys(functionSizes) as FunctionSize[])(
  "Node starts with the options of a function of size %s",
  (size) => {
    const options = { env: { ...process.env, NODE_OPTIONS: nodeOptions(size) }, encoding: "utf8" } as const;
    expect(execFileSync(process.execPath, ["-p", "1 + 1"], options)).toBe("2\n");
  },
);
