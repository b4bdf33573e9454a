import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { close, listen } from "../../../infra/local/listen.ts";

/** A package of the registry, in one version. */
export interface Published {
  name: string;
  version: string;
  /** Fields of package.json in addition to name and version. */
  about?: object;
  /** Its files in addition to package.json: text by path. */
  files: Readonly<Record<string, string>>;
}

/** A registry on this machine from which real npm installs packages that are not available or cannot run here. */
export interface Registry {
  /** Environment variables for npm: this registry, and a separate cache. */
  environment: Readonly<Record<string, string>>;
  /** The hash of a package's archive, as in lock files. */
  integrityOf(name: string): string;
  stop(): Promise<void>;
}

/** @param directory an empty one, for the packages and for npm's cache */
export async function registryDouble(directory: string, published: readonly Published[]): Promise<Registry> {
  const archives = new Map(published.map((each) => [each.name, archiveOf(join(directory, each.name), each)]));
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}`;
    const [name = "", wanted] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    const found = published.find((each) => each.name === name);
    if (!found) return void response.writeHead(404).end("{}");
    if (wanted !== undefined) return void response.end(archives.get(name));
    const { version, about } = found;
    const dist = { tarball: `${url}/${name}/-/package.tgz` };
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        name,
        "dist-tags": { latest: version },
        versions: { [version]: { name, version, ...about, dist } },
      }),
    );
  });
  const registry = `http://127.0.0.1:${await listen(server, 0)}/`;
  return {
    environment: { npm_config_registry: registry, npm_config_cache: join(directory, "npm-cache") },
    integrityOf: (name) =>
      `sha512-${createHash("sha512")
        .update(archives.get(name) ?? "")
        .digest("base64")}`,
    stop: () => close(server),
  };
}

function archiveOf(folder: string, { name, version, about, files }: Published): Buffer {
  const all = { ...files, "package.json": JSON.stringify({ name, version, ...about }) };
  for (const [path, text] of Object.entries(all)) {
    const file = join(folder, "package", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  execFileSync("tar", ["-czf", "package.tgz", "package"], { cwd: folder });
  return readFileSync(join(folder, "package.tgz"));
}
