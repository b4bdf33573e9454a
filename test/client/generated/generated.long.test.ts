import { copyFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { kindsByName } from "../../../shared/api/kinds.ts";
import { openApi } from "../../../shared/api/openapi/openApi.ts";
import { useStage } from "../../api/useStage.ts";
import { pythonPackages } from "../../pythonPackages.ts";
import { useForwarder } from "../../useForwarder.ts";
import { generate, run } from "./generate.ts";

const { stage } = useStage();
/** The stage as a later release: its records are of a POS type that older clients do not know. */
const later = useForwarder(() => stage().description.base_url, {
  change: (body) => body.replaceAll(/"pos_(type|name)":"[^"]*"/g, '"pos_$1":"A later POS"'),
});
const sources = import.meta.dirname;

/** The description from before a field was added: clients that callers made of it must ignore the field. */
function olderDescription() {
  const description = JSON.parse(JSON.stringify(openApi()));
  const { Customer } = description.components.schemas;
  delete Customer.properties.gender;
  Customer.required = Customer.required.filter((field: string) => field !== "gender");
  return description;
}

/** Downloads the packages of a generated client. If that is impossible here, prints and returns the reason. */
async function fetchPackages(language: string, program: string, parameters: string[], client: string) {
  try {
    await run(program, parameters, { cwd: client });
    return undefined;
  } catch (error) {
    const reason = (error as Error).message;
    const missing = `Skipped: a generated client in ${language}, whose packages cannot be downloaded: ${reason}`;
    console.log(missing);
    return missing;
  }
}

/**
 * Builds an unchanged generated client and runs a program that calls a stage with it. If that is impossible here, returns the
 * reason.
 */
const languages: Record<string, (client: string, env: object) => Promise<{ stdout: string } | { missing: string }>> = {
  async java(client, env) {
    const goals = [
      "test-compile",
      "dependency:copy-dependencies",
      "-DincludeScope=runtime",
      "-DoutputDirectory=target/lib",
    ];
    await run("mvn", ["--quiet", "--batch-mode", ...goals], { cwd: client });
    return run("java", ["-cp", "target/classes:target/lib/*", join(sources, "ReadDemo.java")], { cwd: client, env });
  },
  async python(client, env) {
    const { directory, missing } = await pythonPackages(
      "client/generated/requirements.txt",
      "a generated client in Python",
    );
    if (missing !== undefined) return { missing };
    const libraries = { PYTHONPATH: `${directory}:${client}`, PYTHONDONTWRITEBYTECODE: "1" };
    return run("python3", [join(sources, "readDemo.py")], { cwd: client, env: { ...env, ...libraries } });
  },
  async go(client, env) {
    const missing = await fetchPackages("Go", "go", ["mod", "download"], client);
    if (missing !== undefined) return { missing };
    mkdirSync(join(client, "cmd"));
    copyFileSync(join(sources, "readDemo.go"), join(client, "cmd", "main.go"));
    return run("go", ["run", "./cmd"], { cwd: client, env });
  },
};

/** The records of the stage, read from its lists without a client. */
async function expected(env: { BASE_URL: string; SP_ID: string; CRB_ID: string; CLIENT_SECRET: string }) {
  const names = {
    customers: "Customer",
    products: "Product",
    inventory: "Inventory",
    "inventory-locations": "Location",
  };
  const lists = await Promise.all(
    Object.keys(kindsByName).map(async (kind) => {
      const address = `${env.BASE_URL}/service-providers/${env.SP_ID}/crbs/${env.CRB_ID}/${kind}?limit=2`;
      const response = await fetch(address, { headers: { Authorization: env.CLIENT_SECRET } });
      const { metadata, data } = (await response.json()) as { metadata: { total: number }; data: { id: string }[] };
      const name = kind in names ? names[kind as keyof typeof names] : "RetailSale";
      return { kind, name, total: metadata.total, ids: data.map(({ id }) => id) };
    }),
  );
  const customers = lists.find(({ kind }) => kind === "customers");
  return {
    scopes: 4,
    customers: customers?.total,
    ids: customers?.ids,
    changes: Object.fromEntries(lists.map(({ kind, name, total }) => [kind, { [name]: total }])),
    rejected: 404,
  };
}

test.for(Object.keys(languages))(
  "a client in %s that OpenAPI Generator makes compiles and reads all records, also with unknown values of open enumerations",
  { timeout: 900_000 },
  async (language, { skip }) => {
    const { client, missing } = await generate(language, olderDescription());
    if (client === undefined) return skip(missing);
    const { service_provider, crbs } = stage().description;
    const { sp_id: SP_ID, client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = service_provider;
    const env = { BASE_URL: later.url(), SP_ID, CRB_ID: crbs[0]?.crb_id ?? "", CLIENT_ID, CLIENT_SECRET };
    const read = (await languages[language]?.(client, env)) ?? expect.fail();
    if ("missing" in read) return skip(read.missing);
    const known = await expected(env);
    expect(known.customers).toBeGreaterThan(2);
    expect(JSON.parse(read.stdout)).toEqual(known);
  },
);

/** Compiles an unchanged generated client. If that is impossible here, returns the reason. */
const compilers: Record<string, (client: string) => Promise<{ missing: string } | undefined>> = {
  async "typescript-fetch"(client) {
    const strict = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", "--module", "nodenext"];
    await run(process.execPath, [resolve("node_modules/.bin/tsc"), ...strict, join(client, "index.ts")], {
      cwd: client,
    });
    return undefined;
  },
  async rust(client) {
    const missing = await fetchPackages("Rust", "cargo", ["fetch", "--quiet"], client);
    if (missing !== undefined) return { missing };
    await run("cargo", ["check", "--quiet"], { cwd: client });
    return undefined;
  },
};

test.for(Object.keys(compilers))(
  "a client by the generator %s of OpenAPI Generator compiles",
  { timeout: 900_000 },
  async (generator, { skip }) => {
    const { client, missing } = await generate(generator, olderDescription());
    if (client === undefined) return skip(missing);
    const compiled = await compilers[generator]?.(client);
    if (compiled) return skip(compiled.missing);
  },
);
