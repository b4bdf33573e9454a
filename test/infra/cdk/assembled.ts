import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Validations } from "aws-cdk-lib";
import type { CloudAssembly } from "aws-cdk-lib/cx-api";
import { inject } from "vitest";
import { type Bundle, bundle } from "../../../infra/bundle/bundle.ts";
import { bundleSources } from "../../../infra/bundle/bundleSources.ts";
import { createApp } from "../../../infra/deploy/synthesize.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { innerStacks } from "../../system/deployed/template.ts";

/** The name of the table in `Assembled.restored`. */
export const restoredTable = "business-data-restored";

type Deployed = "mock" | "sandbox" | "prod";

/** A part of a template's resource. */
// biome-ignore lint/suspicious/noExplicitAny: every type of resource has its own form, and tests name what they expect
export type Properties = Record<string, any>;

/** A resource of a template in JSON. */
interface Resource {
  Type: string;
  Properties: Properties;
  DeletionPolicy?: string;
  DependsOn?: string[];
}

export interface Assembled {
  /** Templates by stage and stack, such as `templates.sandbox.Api`; nested stacks by description, such as `functions/crbs`. */
  templates: Record<Deployed, Record<string, Template>>;
  /** The tags of the stacks, by stage and stack. */
  tags: Record<Deployed, Record<string, Record<string, string>>>;
  /** The stacks of `prod` on a restored table. */
  restored: Record<string, Template>;
  /** Reasons for breaking a rule of cdk-nag, by stage, construct and finding. */
  reasons: Record<Deployed, { construct: string; id: string; reason: string }[]>;
  bundles: Bundle[];
  /** The files of all templates. */
  files: string[];
  /** The folders with the code of functions, by their names in the template. */
  assets: string;
}

/** A stack's template. */
export class Template {
  readonly json: {
    Resources: Record<string, Resource>;
    Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
    Parameters?: Record<string, Properties>;
  };

  constructor(json: unknown) {
    this.json = json as Template["json"];
  }

  /** Resources of a type, such as `Lambda::Function`, by logical id. */
  all(type: string): Record<string, Resource> {
    return Object.fromEntries(Object.entries(this.json.Resources).filter(([, { Type }]) => Type === `AWS::${type}`));
  }

  /** The properties of the resources of a type. */
  properties(type: string): Properties[] {
    return Object.values(this.all(type)).map(({ Properties = {} }) => Properties);
  }

  /** The properties of the only resource of a type whose logical id begins with `id`. */
  one(type: string, name = ""): Properties {
    const found = Object.entries(this.all(type)).filter(([id]) => id.startsWith(name));
    if (found.length !== 1) throw new Error(`${found.length} resources AWS::${type} ${name}`);
    return found[0]?.[1].Properties ?? {};
  }
}

/** The name of the assembled release. The stage on a restored table has a later one. */
export const release = "1.0.0+test";

/** Synthesizes every stage once, from one set of bundles, with an account and a region if the operator would have set them. */
export async function assemble(): Promise<Assembled> {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "cdk-"));
  const bundlesDirectory = join(directory, "bundles");
  const bundles = await bundle("sandbox", bundleSources, bundlesDirectory);
  const env = { account: "123456789012", region: "us-west-2" };
  const apps = {
    mock: createApp("mock", bundlesDirectory, {}, { outdir: join(directory, "mock") }, { release }),
    sandbox: createApp("sandbox", bundlesDirectory, {}, { outdir: join(directory, "sandbox") }, { release }),
    prod: createApp("prod", bundlesDirectory, env, { outdir: join(directory, "prod") }, { release }),
  };
  const settings: StageSettings = stages.prod;
  const aws = { ...stages.prod.aws, tableName: restoredTable };
  const restored = createApp(
    "prod",
    bundlesDirectory,
    env,
    { outdir: join(directory, "restored") },
    { settings: { ...settings, aws }, release: "1.0.1+test" },
  );
  // The app with all types of resources comes first: the CDK keeps the rules for these, and loads them again for any other
  // type.
  apps.prod.synth();
  const assemblies = mapValues(apps, (app) => app.synth());
  return {
    templates: mapValues(assemblies, templatesOf),
    tags: mapValues(assemblies, ({ stacks }) => Object.fromEntries(stacks.map(({ id, tags }) => [id, tags]))),
    restored: templatesOf(restored.synth()),
    reasons: mapValues(apps, (app) =>
      app.node
        .findAll()
        .flatMap(({ node }) =>
          node.metadata
            .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
            .flatMap(({ data }) =>
              Object.entries(data as Record<string, string>).map(([id, reason]) => ({
                construct: node.path,
                id,
                reason,
              })),
            ),
        ),
    ),
    bundles,
    files: Object.values(assemblies).flatMap(({ directory }) =>
      readdirSync(directory)
        .filter((file) => file.endsWith(".template.json"))
        .map((file) => join(directory, file)),
    ),
    assets: join(directory, "sandbox"),
  };
}

/** The templates of an assembly by stack; nested stacks by description. */
export function templatesOf({ stacks, directory }: CloudAssembly): Record<string, Template> {
  return Object.fromEntries(
    stacks.flatMap(({ id, template }) => [
      [id, new Template(template)],
      ...innerStacks(directory, { template }).map((inner) => [
        inner.template.Description ?? "",
        new Template(inner.template),
      ]),
    ]),
  );
}

/** The templates with the functions of a stage that have a caller; they are stacks nested in the API's. */
const groupsOf = (templates: Record<string, Template>): Template[] =>
  Object.entries(templates).flatMap(([name, template]) => (name.startsWith("functions/") ? [template] : []));

/** The functions of a stage that have a caller, or those that have none. */
export const functionsOf = (templates: Record<string, Template>, stack: "Api" | "Workers"): Properties[] =>
  [...(stack === "Api" ? groupsOf(templates) : []), templates[stack] as Template].flatMap((template) =>
    template.properties("Lambda::Function"),
  );

function mapValues<Key extends string, From, To>(record: Record<Key, From>, map: (value: From) => To): Record<Key, To> {
  return Object.fromEntries(Object.entries<From>(record).map(([key, value]) => [key, map(value)])) as Record<Key, To>;
}
