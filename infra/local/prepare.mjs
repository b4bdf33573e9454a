// Runs after `npm ci` and `npm install`: generates the types that an editor needs. It does nothing without the packages for
// tests, or without Node 24; npm puts the Node that it has installed first into PATH.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { modules, verifyExecutables } from "./packages.mjs";

if (Number.parseInt(process.versions.node, 10) >= 24 && existsSync(join(modules, "openapi-typescript"))) {
  verifyExecutables();
  const { generateClientTypes } = await import("../codegen/clientTypes.ts");
  await generateClientTypes();
}
