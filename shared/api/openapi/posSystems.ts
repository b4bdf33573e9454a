import { numberWord } from "../../text/numberWord.ts";
import { kindsByName } from "../kinds.ts";
import { connectorProofs, readablePosTypes } from "../pos/connectorProofs.ts";
import { lacks } from "../pos/posTypes.ts";

/** The number of POS systems that can be read, as a sentence of the API description, README.md and docs/pos. */
const posSystemsSentence = (): string =>
  `${numberWord(readablePosTypes.length)} POS systems can be read; none has been read in production.`;

/** The kinds of records that the connector of a POS type reads, by their list names: `all` or `all but inventory`. */
function kindsRead(posType: string): string {
  const missing = Object.entries(kindsByName).flatMap(([name, kind]) => (lacks(posType, kind) ? [name] : []));
  return missing.length === 0 ? "all" : `all but ${missing.join(", ")}`;
}

/** The paragraph and the table about POS systems in the API description, in Markdown. */
export const posSystems = `
**POS systems.** ${posSystemsSentence()} The sandbox simulates
all POS types. The proof of a connector says what its mapping was checked against. It holds for the endpoints of every kind of
records that the connector reads; single requests or fields may have weaker proof. \`captured payloads\` are recorded
responses of the real API. \`vendor documents\` are the vendor's own description of the endpoints. \`none\` means that at
least one kind rests on public client code or assumptions. A production stage offers a POS type with proof \`none\` only if the
operator enables it; \`getPosCredentialsSchema\` lists the POS types that a stage offers.

| \`pos_type\` | Kinds of records | Proof |
|---|---|---|
${readablePosTypes.map((posType) => `| ${posType} | ${kindsRead(posType)} | ${connectorProofs[posType]} |`).join("\n")}
`.trim();
