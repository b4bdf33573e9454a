import type { ComponentType } from "preact";
import { parse } from "regexparam";

/** The parts of the address that a screen gets. */
export interface Place {
  /** The values of the path's parameters. */
  parameters: Readonly<Record<string, string>>;
  /** The filters after the question mark. */
  query: URLSearchParams;
}

/** A screen and its path. Paths are in the fragment of the address, such as `#/businesses/ID?status=open`. */
export interface Screen {
  /** With parameters such as `:crb_id`. */
  path: string;
  /** The screen's name in the menu; absent if the menu does not show it. */
  menu?: string;
  /** The number in the overview of what waits on the screen. */
  waiting?: "open_insights" | "documents_to_review";
  /** Whether the screen stays when another item of its list is opened. Other screens begin again at each address. */
  isQueue?: boolean;
  Screen: ComponentType<Place>;
}

/** The address of a screen in the menu: its path without an optional parameter. */
export const menuAddress = ({ path }: Pick<Screen, "path">): string => `#${path.replace(/\/:\w+\?$/, "")}`;

/** The path in a fragment; `/` if the fragment has none. */
export const pathIn = (fragment: string): string => (fragment.startsWith("#/") ? fragment.slice(1) : "/");

/** Finds the screen of a path; undefined if none has it. */
export function findScreen<Each extends Pick<Screen, "path">>(
  screens: readonly Each[],
  address: string,
): { screen: Each; place: Place } | undefined {
  const [path, search] = /^([^?]*)\??(.*)$/s.exec(address)?.slice(1) ?? [];
  if (path === undefined) return undefined;
  for (const screen of screens) {
    const { keys, pattern } = parse(screen.path);
    const match = pattern.exec(path);
    if (!match) continue;
    const values = keys.map((key, index) => [key, decode(match[index + 1] ?? "")]);
    return { screen, place: { parameters: Object.fromEntries(values), query: new URLSearchParams(search) } };
  }
  return undefined;
}

/** A part with broken percent encoding stays unchanged, since no record has such an id. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
