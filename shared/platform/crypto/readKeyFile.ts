import { readFileSync } from "node:fs";

/**
 * Reads a key of 32 bytes, written as 64 hexadecimal digits, from the file that an environment variable names.
 *
 * @throws Error that names the variable or the file, never its content
 */
export function readKeyFile(variable: string, name: string): string {
  const file = process.env[variable];
  if (!file) throw new Error(`${variable} is not set: it must name the file that holds the ${name}`);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(`Cannot read the file ${file} of the ${name}`, { cause });
  }
  return checkKey(text, `The ${name} file ${file}`);
}

/**
 * Removes white space around the text of a key and validates the text.
 *
 * @param holder the source of the text, for the Error if it is malformed
 */
export function checkKey(text: string, holder: string): string {
  const key = text.trim();
  if (!/^[0-9a-fA-F]{64}$/.test(key)) throw new Error(`${holder} must hold 64 hexadecimal digits (32 bytes)`);
  return key;
}
