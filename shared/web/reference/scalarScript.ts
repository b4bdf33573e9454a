import { runInNewContext } from "node:vm";

/**
 * Extracts Scalar's browser script from its Fastify plugin. The plugin installs 20 packages and contains the script as
 * a string in its only file. Scalar's own package would install 250 packages that the script already includes
 * (docs/decisions/reference-page.md).
 *
 * @param plugin text of the plugin's file
 * @throws Error if the file no longer contains the script in this form
 */
export function scalarScript(plugin: string): string {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(plugin) ?? [];
  if (!literal) throw new Error("Scalar's plugin for Fastify has no `standalone_default`");
  // The literal is not JSON, since it contains control characters.
  return runInNewContext(literal);
}
