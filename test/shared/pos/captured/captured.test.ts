import { expect, test } from "vitest";
import { recordKinds } from "../../../../shared/api/kinds.ts";
import { connectorProofs, readablePosTypes } from "../../../../shared/api/pos/connectorProofs.ts";
import { lacks } from "../../../../shared/api/pos/posTypes.ts";
import { connectorRegistry } from "../../../../shared/pos/connectorRegistry.ts";
import { describeExchanges } from "../exchanges/describeExchanges.ts";
import { readExchangeFiles } from "../exchanges/exchangeFile.ts";
import { endpointVariableOf } from "../fakes/systems.ts";

const files = readExchangeFiles(import.meta.dirname);

describeExchanges(import.meta.dirname, files);

test("a connector with captured payloads as its proof has them for every kind of records that it reads", () => {
  const proven = readablePosTypes.filter((posType) => (connectorProofs[posType] as string) === "captured payloads");
  const missing = proven.flatMap((posType) =>
    recordKinds.filter(
      (kind) =>
        !lacks(posType, kind) &&
        !files.some(
          (file) =>
            endpointVariableOf(file.pos) === connectorRegistry[posType].testEndpoint &&
            file.kind === kind &&
            file.source.proof === "captured payloads",
        ),
    ),
  );
  expect(missing).toEqual([]);
});

test("the files are recorded or published responses, not invented ones", () => {
  const proofs = new Set(["captured payloads", "vendor documents"]);
  expect(files.filter(({ source }) => !proofs.has(source.proof))).toEqual([]);
});
