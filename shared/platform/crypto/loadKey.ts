import { createSecretKey, type KeyObject } from "node:crypto";
import { checkKey, readKeyFile } from "./readKeyFile.ts";
import { readSecret } from "./readSecret.ts";

/**
 * Loads a key of 32 bytes, written as 64 hexadecimal digits, once per process. The environment variable
 * `<variable>_FILE` names its file, or `<variable>_SECRET` names its secret in Secrets Manager. Modules should call
 * this function at their top level, because AWS gives a function more CPU while it initializes.
 *
 * @param variable prefix of the environment variables' names
 * @param name the key's name in error messages
 * @returns the key; throws an Error that names the variable, file or secret, never the content, if the key is missing
 * or malformed
 */
export async function loadKey(variable: "SERVICE_KEY" | "ADDRESS_KEY", name: string): Promise<() => KeyObject> {
  const [file, secret] = [`${variable}_FILE`, `${variable}_SECRET`];
  const text = process.env[file] ? undefined : await readSecret(secret);
  let key: KeyObject | undefined;
  return () => {
    key ??= createSecretKey(
      text === undefined ? readKeyFile(file, name) : checkKey(text, `The secret ${process.env[secret]}`),
      "hex",
    );
    return key;
  };
}
