import { readFileSync } from "node:fs";

/**
 * Reads a key of 32 bytes, written as 64 hexadecimal digits, from the file that an environment variable names.
 *
 * @throws Error that names the variable or the file, never what is in it
 */
export function readKeyFile(variable: string, name: string): string {
  const file = process.env[variable];
  if (!file) throw new Error(`${variable} is not set: it must name the file that holds the ${name}`);
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw new Error(`The ${name} file ${file} cannot be read`, { cause });
  }
  if (!/^[0-9a-fA-F]{64}$/.test(text)) {
    throw new Error(`The ${name} file ${file} must hold 64 hexadecimal digits (32 bytes)`);
  }
  return text;
}
