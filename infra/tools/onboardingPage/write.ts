import { writeFileSync } from "node:fs";
import { newProgram, parseOrExit } from "../../cli/program.ts";
import { connectScript } from "./script.ts";

// A test says when it is stale.
parseOrExit(newProgram("npm run connect-page --", "Writes the script of the page at /connect."));
writeFileSync(new URL("../../../shared/web/onboarding/page.js", import.meta.url), await connectScript());
