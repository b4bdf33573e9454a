import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from "@aws-sdk/client-kms";
import { ServiceError } from "../../api/errors.ts";
import { awsRequests } from "../aws/awsRequests.ts";
import { readKeyFile } from "./readKeyFile.ts";

// POS credentials and secrets of webhook endpoints are encrypted before they are stored, and bound to the id of their
// CRB or endpoint: decryption with any other id fails. On AWS, the KMS key that KMS_KEY_ID names encrypts them. On
// other machines, AES-256-GCM is used, with a key of 32 bytes from the file that SEALING_KEY_FILE names. KMS encrypts
// at most 4,096 bytes; the longest POS credentials are shorter.

/** The credentials for a POS, unencrypted. Never log, store or return them. */
export type PosCredentials = Readonly<Record<string, string | number>>;

/**
 * The KMS encryption context of a ciphertext. AWS permissions use it to distinguish credentials of CRBs from secrets of
 * endpoints.
 */
type Owner = { crb_id: string } | { endpoint_id: string };

/** @throws ServiceError "unavailable" if KMS fails */
export const seal = (crbId: string, credentials: PosCredentials): Promise<Uint8Array> =>
  sealFor({ crb_id: crbId }, Buffer.from(JSON.stringify(credentials)));

/**
 * Decrypts the credentials of a CRB. Throws if the ciphertext is invalid or belongs to another CRB; the error contains
 * no part of the plaintext.
 *
 * @throws ServiceError "unavailable" if KMS fails
 */
export const unseal = async (crbId: string, sealed: Uint8Array): Promise<PosCredentials> =>
  parse(await open({ crb_id: crbId }, sealed));

/** @throws ServiceError "unavailable" if KMS fails */
export const sealSecret = (endpointId: string, secret: string): Promise<Uint8Array> =>
  sealFor({ endpoint_id: endpointId }, Buffer.from(secret));

/** Decrypts a secret of a webhook endpoint; fails like `unseal`. */
export const unsealSecret = async (endpointId: string, sealed: Uint8Array): Promise<string> =>
  Buffer.from(await open({ endpoint_id: endpointId }, sealed)).toString();

async function sealFor(owner: Owner, plain: Buffer): Promise<Uint8Array> {
  if (!process.env.KMS_KEY_ID) return sealByFile(owner, plain);
  const { CiphertextBlob } = await answered(
    kms().send(
      new EncryptCommand({ KeyId: process.env.KMS_KEY_ID, Plaintext: plain, EncryptionContext: { ...owner } }),
    ),
  );
  if (!CiphertextBlob) throw new Error("KMS returned no ciphertext");
  return CiphertextBlob;
}

async function open(owner: Owner, sealed: Uint8Array): Promise<Uint8Array> {
  if (!process.env.KMS_KEY_ID) return openByFile(owner, sealed);
  const { Plaintext } = await answered(
    kms().send(
      new DecryptCommand({ KeyId: process.env.KMS_KEY_ID, CiphertextBlob: sealed, EncryptionContext: { ...owner } }),
    ),
  );
  if (!Plaintext) throw new Error("KMS returned no plaintext");
  return Plaintext;
}

const parse = (plain: Uint8Array): PosCredentials => JSON.parse(Buffer.from(plain).toString("utf8"));

/**
 * Converts failures of KMS to ServiceError "unavailable". An error about invalid ciphertext is thrown unchanged,
 * because a retry cannot help. Every other failure counts as temporary, because it ends at the latest when the operator
 * fixes the key or the access to the key.
 */
async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof InvalidCiphertextException || error instanceof IncorrectKeyException) throw error;
    throw new ServiceError("unavailable", { cause: error });
  }
}

let client: KMSClient | undefined;
function kms(): KMSClient {
  client ??= new KMSClient({ requestHandler: awsRequests() });
  return client;
}

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

let key: KeyObject | undefined;
function fileKey(): KeyObject {
  key ??= createSecretKey(readKeyFile("SEALING_KEY_FILE", "sealing key"), "hex");
  return key;
}

/**
 * The additional authenticated data of a ciphertext. For a CRB it is only the id, so that ciphertexts that are already
 * stored can be decrypted.
 */
const boundTo = (owner: Owner): Buffer =>
  Buffer.from("crb_id" in owner ? owner.crb_id : `endpoint ${owner.endpoint_id}`);

function sealByFile(owner: Owner, plain: Buffer): Uint8Array {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, fileKey(), iv).setAAD(boundTo(owner));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openByFile(owner: Owner, sealed: Uint8Array): Buffer {
  const text = Buffer.from(sealed);
  const decipher = createDecipheriv(algorithm, fileKey(), text.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(boundTo(owner))
    .setAuthTag(text.subarray(-tagBytes));
  return Buffer.concat([decipher.update(text.subarray(ivBytes, -tagBytes)), decipher.final()]);
}
