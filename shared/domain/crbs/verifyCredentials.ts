import { invalid } from "../../api/errors.ts";
import { posTypes } from "../../api/pos/posTypes.ts";
import { credentialIssues } from "../../api/schemas/credentialIssues.ts";
import type { PosCredentials } from "../../platform/crypto/sealing.ts";
import { findConnector } from "../../pos/findConnector.ts";
import { withRequestGuard } from "../../pos/framework/requestGuard.ts";
import { toConnection } from "../../pos/openConnection.ts";
import { noPosCheckLimit, type PosCheckLimit } from "../../pos/posCheckLimit.ts";
import { applyPosConfigMove } from "../../pos/posConfigStatus.ts";
import { verifyConnection } from "../../pos/verifyConnection.ts";
import type { Crb } from "../../store/crb.ts";
import { noConnector } from "./creationIssues.ts";

type PosType = keyof typeof posTypes;
type PosConfigs = Crb["record"]["pos_configs"];

/** Validates credentials for a POS type (docs/spec.md#pos-credentials). @throws ServiceError "invalid" with the wrong fields */
export function requireValidCredentials(posType: PosType, sent: Readonly<Record<string, unknown>>): PosCredentials {
  const issues = credentialIssues(posType, sent);
  if (issues.length === 0) return sent as PosCredentials;
  throw invalid(
    Object.fromEntries(
      issues.map(({ property, message }) => [`body.pos_info.pos_credentials.${property}`, { message }]),
    ),
  );
}

/**
 * Tests new credentials of a CRB by a test call to its POS (docs/spec.md#test-call).
 *
 * @param crb the CRB with the connection to test; this connection is not stored yet
 * @param checkMay called before each request to the POS; throws if the CRB may no longer be connected, for example after a
 *   withdrawal of consent
 * @param limit see `verifyConnection`
 * @throws the errors of `verifyConnection` and `checkMay`; ServiceError "invalid" if this stage has no connector for the POS
 */
export async function verifyCredentials(
  crb: Crb,
  posType: PosType,
  credentials: PosCredentials,
  checkMay: () => Promise<unknown>,
  limit: PosCheckLimit = noPosCheckLimit,
): Promise<void> {
  const connector = findConnector(posType);
  const connection = toConnection(crb, credentials);
  if (!connector || !connection) throw invalid({ "body.pos_info.pos_type": { message: noConnector } });
  await withRequestGuard(
    async () => void (await checkMay()),
    () => verifyConnection(connector, connection, posTypes[posType].locationRequired, limit),
  );
}

/** The POS configurations of a CRB after new credentials have passed the test call (docs/spec.md#pos-status). */
export function acceptPosConfig(configs: PosConfigs, posType: PosType, now: Date): PosConfigs {
  const entered = applyPosConfigMove(configs, posType, "enter", now) ?? configs;
  return applyPosConfigMove(entered, posType, "succeed", now) ?? entered;
}
