import { runInNewContext } from "node:vm";

/**
 * Scalar's script for the browser. Its own package brings 250 others, which the script has in it already; the plugin for
 * Fastify brings 20, and has the script as a string in its one file (docs/decisions/reference-page.md).
 *
 * @param plugin the text of that file
 * @throws Error when the file no longer has the script in the form known here
 */
export function scalarScript(plugin: string): string {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(plugin) ?? [];
  if (!literal) throw new Error("Scalar's plugin for Fastify has no `standalone_default`");
  // Not JSON: it has control characters.
  return runInNewContext(literal);
}
