import { sharesOf, startProfile } from "../profile.ts";

let stop: Awaited<ReturnType<typeof startProfile>> | undefined;

/** Runs in the thread of the functions: the first call begins a profile of the thread, the second returns its shares. */
export async function handler() {
  if (!stop) {
    stop = await startProfile();
    return undefined;
  }
  const profile = await stop();
  stop = undefined;
  return sharesOf(profile);
}
