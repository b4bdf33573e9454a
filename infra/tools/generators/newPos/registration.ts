import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kindsByName } from "../../../../shared/api/kinds.ts";
import { posSystemsSentence } from "../../../../shared/api/openapi/posSystems.ts";
import { readablePosTypes } from "../../../../shared/api/pos/connectorProofs.ts";
import { StageError } from "../../../cli/stageError.ts";
import { before, inOrder } from "../files/blocks.ts";
import { capitalized } from "../files/capitalized.ts";
import { addressOf, type Draft, kindsRead, testEndpointOf } from "./draft.ts";
import { storeId } from "./testTexts.ts";

/** The kinds that a new connector does not read, by API name. */
const lacking = Object.entries(kindsByName).filter(([, kind]) => !kindsRead.includes(kind));

/**
 * Adds a POS to the files that register one: connector, proof, fake, lacking kinds, first request, and the texts that list
 * or count the POS systems.
 *
 * @param root the project's folder
 * @returns texts by path in the project, not formatted
 * @throws StageError if the place to register it cannot be found
 */
export function registrations(draft: Draft, root: string): Map<string, string> {
  return new Map(
    Object.entries(places).map(([file, register]) => [
      file,
      register(readFileSync(join(root, file), "utf8"), draft, file),
    ]),
  );
}

type Register = (text: string, draft: Draft, file: string) => string;

const places: Readonly<Record<string, Register>> = {
  "shared/api/pos/posTypes.ts": (text, { posType }, file) => {
    const entry = new RegExp(`^( {2}"?${posType}"?: \\{[^{}]*?),?\\s*\\}`, "m");
    const [whole = "", begun = ""] = entry.exec(text) ?? [];
    if (whole === "" || whole.includes("lacks:")) {
      throw new StageError(
        `${file} must have an entry for ${posType} without lacks: restore it, or add the entry by hand.`,
      );
    }
    const kinds = lacking.map(([, kind]) => `"${kind}"`).join(", ");
    return text.replace(whole, `${begun}, lacks: [${kinds}] }`);
  },

  "shared/api/pos/connectorProofs.ts": (text, { posType }, file) =>
    inOrder(
      text,
      {
        file,
        from: "export const connectorProofs = {",
        to: "} as const satisfies Partial<Record<ConnectablePosType, ConnectorProof>>;",
      },
      `  "${posType}": "none",`,
    ),

  "shared/pos/testEndpoints.ts": (text, draft, file) =>
    inOrder(
      text,
      { file, from: "export const testEndpointVariables = {", to: "} as const;" },
      `  ${draft.name}: "${testEndpointOf(draft)}",`,
    ),

  "shared/pos/connectorRegistry.ts": (text, draft, file) => {
    const { name, posType } = draft;
    const made = before(text, { file, from: "/** The connectors by POS type. */" }, realPosText(draft));
    const block = {
      file,
      from: "export const connectorRegistry: Readonly<Record<ReadablePosType, RegisteredConnector>> = {",
      to: "};",
    };
    return inOrder(made, block, `  "${posType}": ${name},`);
  },

  "test/shared/pos/fakes/systems.ts": (text, draft, file) => {
    const { name } = draft;
    const imports = [
      `import { ${name}Connector } from "../../../../shared/pos/connectors/${name}/${name}Connector.ts";`,
      `import { Fake${capitalized(name)} } from "./fake${capitalized(name)}.ts";`,
    ];
    const block = { file, from: "export const fakeSystems: Readonly<Record<PosName, FakeSystem>> = {", to: "};" };
    return `${imports.join("\n")}\n${inOrder(text, block, systemText(draft))}`;
  },

  "test/shared/pos/findConnector.test.ts": (text, draft, file) =>
    inOrder(
      text,
      { file, from: "const verifying: Partial<Record<ConnectablePosType, string | string[]>> = {", to: "};" },
      `  "${draft.posType}": "${addressOf(draft)}/v1/stores",`,
    ),

  "README.md": (text, _draft, file) => countOneMore(text, file),

  "docs/pos/README.md": (text, draft, file) =>
    inOrder(
      countOneMore(text, file),
      { file, from: "| POS type | Kinds of records | Proof | Page |", to: "" },
      `${rowOf(draft)} [${draft.posType}](${draft.page}.md) |`,
    ),
};

/** The first cells of a connector's row in a table of the docs. */
const rowOf = ({ posType }: Draft): string =>
  `| \`${posType}\` | all but ${lacking.map(([name]) => name).join(", ")} | none |`;

/** Raises the number of POS systems in the sentence that states it. */
function countOneMore(text: string, file: string): string {
  const sentence = posSystemsSentence();
  if (!text.includes(sentence))
    throw new StageError(`${file} must contain "${sentence}": restore it, or add the entry by hand.`);
  return text.replace(sentence, posSystemsSentence(readablePosTypes.length + 1));
}

const realPosText = (draft: Draft): string => `const ${draft.name}: RegisteredConnector = {
  service: { url: "${addressOf(draft)}", requestsPerSecond: 1 },
  testEndpoint: testEndpointVariables.${draft.name},
  async load(options) {
    const { ${draft.name}Connector } = await import("./connectors/${draft.name}/${draft.name}Connector.ts");
    return ${draft.name}Connector(options);
  },
};`;

function systemText({ posType, name, businessType, locationRequired }: Draft): string {
  const more = [
    ...(locationRequired ? [`locationId: "${storeId}"`] : []),
    ...(businessType === "wholesale" ? ['businessType: "wholesale"'] : []),
  ];
  return `  ${name}: {
    posType: "${posType}",
    make: (seed, size, now) => new Fake${capitalized(name)}(seed, size, now),
    credentialsOf: own,${more.length > 0 ? `\n    more: { ${more.join(", ")} },` : ""}
    connector: (options) => ${name}Connector(options),
    traits: {
      verifying: /stores$/,
      readsWhole: ["inventory"],
      breaking: { inventory: ["quantity", "sku"], sale: ["payments", "employee_id"] },
    },
  },`;
}
