import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { parse } from "regexparam";

/** The parts of the address that a screen gets. */
export interface Place {
  /** The values of the path's parameters. They are ids, which need no percent encoding. */
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

/** The address of a list or of one of its items, with the filters that are set. */
export function addressOf(path: string, filters: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return `#${path}${set.length > 0 ? `?${new URLSearchParams(set)}` : ""}`;
}

/** The item after one: the following one, at the end the first other one. undefined if there is no other. */
export function nextAfter<Each>(items: readonly Each[], isChosen: (item: Each) => boolean): Each | undefined {
  const index = items.findIndex(isChosen);
  return items[index + 1] ?? items.find((item) => !isChosen(item));
}

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
    const values = keys.map((key, index) => [key, match[index + 1] ?? ""]);
    return { screen, place: { parameters: Object.fromEntries(values), query: new URLSearchParams(search) } };
  }
  return undefined;
}

/** The path that the address names, and its screen. */
export function useScreen(screens: readonly Screen[]) {
  const [path, setPath] = useState(() => pathIn(location.hash));
  useEffect(() => {
    const look = () => {
      // A fragment that names no screen leaves the present one.
      if (location.hash === "" || location.hash.startsWith("#/")) return setPath(pathIn(location.hash));
      const address = new URL(location.href);
      address.hash = path;
      history.replaceState(null, "", address);
    };
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, [path]);
  return { path, found: useMemo(() => findScreen(screens, path), [screens, path]) };
}
