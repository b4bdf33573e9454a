import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { close, listen } from "../../../infra/local/listen.ts";
import { checkAdvisories } from "../../../infra/tools/advisories.ts";
import { runHere } from "../local/runHere.ts";
import { temporaryDirectories } from "../local/temporaryDirectories.ts";

// The real npm queries a registry on this machine with the project's own lock file.

interface Advisory {
  id: number;
  url: string;
  title: string;
  severity: string;
  vulnerable_versions: string;
}

const temporaryDirectory = temporaryDirectories();
let server: Server | undefined;
/** The versions of each package for which npm requested advisories. */
let audited: Record<string, string[]> = {};

afterEach(async () => {
  vi.unstubAllEnvs();
  if (server) await close(server);
  server = undefined;
});

function useRegistry(url: string): void {
  vi.stubEnv("npm_config_registry", url);
  vi.stubEnv("npm_config_cache", temporaryDirectory());
}

/** A registry with these advisories, by package, which responds like npm's. */
async function registryWith(advisories: Record<string, Advisory[]>, status = 200): Promise<void> {
  server = createServer(async (request, response) => {
    if (request.method !== "POST" || !request.url?.endsWith("/security/advisories/bulk")) {
      return void response.writeHead(404).end("{}");
    }
    const body = await buffer(request);
    audited = JSON.parse(String(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body));
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(advisories));
  });
  useRegistry(`http://127.0.0.1:${await listen(server, 0)}/`);
}

const advisory = (severity: string, vulnerable_versions = ">=4.0.0"): Advisory => ({
  id: 1,
  url: "https://example.com/advisories/1",
  title: "Reads what it should not",
  severity,
  vulnerable_versions,
});

test.each(["high", "critical"])(
  "a locked package with an advisory of %s severity fails the check",
  async (severity) => {
    await registryWith({ zod: [advisory(severity)] });
    const { code, out, err } = await runHere(checkAdvisories, []);
    expect(out).toBe(`${severity}: zod >=4.0.0: Reads what it should not https://example.com/advisories/1\n`);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^1 advisory of high or critical severity: update the package/),
    ]);
  },
);

test("an advisory of moderate severity is reported without a failure", async () => {
  await registryWith({ zod: [advisory("moderate")] });
  const { code, out } = await runHere(checkAdvisories, []);
  expect([code, out]).toEqual([0, expect.stringMatching(/^moderate: zod [\s\S]*\nNo locked package has [^\n]+\n$/)]);
});

test("an advisory for other versions is not reported; every locked package is checked", async () => {
  await registryWith({ zod: [advisory("critical", "<4.0.0")] });
  const result = await runHere(checkAdvisories, []);
  expect(result).toEqual({
    code: 0,
    out: "No locked package has a known advisory of high or critical severity.\n",
    err: "",
  });
  expect(Object.keys(audited).length).toBeGreaterThan(500);
  expect(Object.keys(audited)).toEqual(expect.arrayContaining(["zod", "vitest", "@dynoxide/win32-x64"]));
});

describe.each([
  ["has no advisory database", () => registryWith({}, 405), "405 Method Not Allowed"],
  ["fails", () => registryWith({}, 500), "500 Internal Server Error"],
  ["cannot be reached", () => useRegistry("http://127.0.0.1:1/"), "ECONNREFUSED"],
])("if the registry %s,", (_, prepare, reason) => {
  const line = new RegExp(`^Could not check the advisories: [^\\n]*${reason}[^\\n]*\\n$`);

  test("the check fails and names the remedy", async () => {
    await prepare();
    const { code, out, err } = await runHere(checkAdvisories, []);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(line);
    expect(err).toMatch(/\. Use a registry with an advisory database, or add --allow-unchecked\.\n$/);
  });

  test("--allow-unchecked reports that in one line and succeeds", async () => {
    await prepare();
    const { code, out, err } = await runHere(checkAdvisories, ["--allow-unchecked"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(line);
  });
});

test("--allow-unchecked does not accept an advisory", async () => {
  await registryWith({ zod: [advisory("critical")] });
  const { code, err } = await runHere(checkAdvisories, ["--allow-unchecked"]);
  expect([code, err]).toEqual([1, expect.stringMatching(/^1 advisory of high or critical severity/)]);
});
