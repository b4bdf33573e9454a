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

/** Credentials that fit their POS type (docs/spec.md#pos-credentials). @throws ServiceError "invalid" that names what does not */
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
 * Proves the connection of a CRB by a test call with credentials that are to be its own (docs/spec.md#test-call).
 *
 * @param crb as it is once connected
 * @param checkMay asked before each request to the POS: throws where the CRB may not be connected any more, since consent
 * was withdrawn, say
 * @param limit as of `verifyConnection`
 * @throws ServiceError as `verifyConnection`; "invalid" where this stage has no connector for the POS; what `checkMay` throws
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

/** The configurations when the credentials of one were entered, and the test call accepted them (docs/spec.md#pos-status). */
export function acceptPosConfig(configs: PosConfigs, posType: PosType, now: Date): PosConfigs {
  const entered = applyPosConfigMove(configs, posType, "enter", now) ?? configs;
  return applyPosConfigMove(entered, posType, "succeed", now) ?? entered;
}
