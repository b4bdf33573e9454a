import { sharesOf, startProfile } from "../profile.ts";

let stop: Awaited<ReturnType<typeof startProfile>> | undefined;

/** Runs beside the functions in their thread: the first call begins a profile of it, the second answers its shares. */
export async function handler() {
  if (!stop) {
    stop = await startProfile();
    return undefined;
  }
  const profile = await stop();
  stop = undefined;
  return sharesOf(profile);
}
