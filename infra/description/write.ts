import { writeFileSync } from "node:fs";
import { generated } from "./generated.ts";

// npm run openapi: writes everything that is made of the catalogue for an API client's developer. A test says when one
// of the files is stale.
for (const [file, text] of Object.entries(await generated())) {
  writeFileSync(new URL(`../../${file}`, import.meta.url), text);
}
