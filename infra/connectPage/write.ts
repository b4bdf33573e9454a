import { writeFileSync } from "node:fs";
import { connectScript } from "./script.ts";

// npm run connect-page: writes the script of the page at /connect. A test says when it is stale.
writeFileSync(new URL("../../shared/connectPage/page.js", import.meta.url), await connectScript());
