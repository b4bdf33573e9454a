import { existsSync, mkdirSync, renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Makes a directory once, whichever process comes first; the others wait for it. */
export async function once(directory: string, make: (directory: string) => Promise<void>): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  try {
    // It stays, so that nobody begins again once the directory is there.
    mkdirSync(`${directory}.begun`);
  } catch {
    while (!existsSync(directory)) await sleep(100);
    return;
  }
  await make(unfinished);
  renameSync(unfinished, directory);
}
