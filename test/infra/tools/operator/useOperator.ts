import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Crb } from "../../../../shared/api/schemas/crb.ts";
import { createCrb } from "../../../../shared/store/crbs.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { useDemoStage } from "../../../useDemoStage.ts";
import { temporaryDirectories } from "../../local/temporaryDirectories.ts";
import { operatorOn } from "./operatorOn.ts";

/** A local stage with the demo's data for all tests of a file, the operator's program on it, and calls of its API. */
export function useOperator() {
  const data = temporaryDirectories()();
  const stage = useDemoStage(data);
  const program = operatorOn("--data", data);
  const crbAt = (index: number) => stage().description.crbs[index] ?? expect.fail("no CRB");
  const provider = () => stage().description.service_provider;

  return {
    data,
    stage,
    ...program,
    crbAt,
    provider,
    spId: () => provider().sp_id,

    /** Calls the API with a key, and returns the response with its JSON. */
    async call(key: string, path: string, method = "GET", body?: object) {
      const headers = { Authorization: key, ...(body && { "Content-Type": "application/json" }) };
      const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(stage().description.base_url + path, request);
      const text = await response.text();
      // biome-ignore lint/suspicious/noExplicitAny: what each operation returns is tested elsewhere
      const json: any = text === "" ? undefined : JSON.parse(text);
      return { status: response.status, headers: response.headers, json };
    },

    /** Issues a credential of the service provider, and returns what the command has printed. */
    async issue(...options: string[]) {
      const out = await program.expectDone("credential", "issue", provider().sp_id, ...options);
      return { clientId: factOf(out, "client_id"), secret: factOf(out, "client_secret") };
    },

    /** Stores a CRB without a POS, and returns its id. */
    async storeCrb(more: Partial<Crb> = {}): Promise<string> {
      const id = randomUUID();
      const record = { ...crbRecord(id), ...more };
      await createCrb(stage().table, { record, serviceProviderId: provider().sp_id, connection: null });
      return id;
    },
  };
}

/** A value that a command has printed after its name. */
export const factOf = (out: string, name: string): string => new RegExp(`${name} +(\\S+)`).exec(out)?.[1] ?? "";
