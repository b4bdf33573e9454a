import { useEffect, useMemo, useState } from "preact/hooks";
import { findScreen, pathIn, type Screen } from "./findScreen.ts";

/** The path that the address names, and its screen. */
export function useScreen(screens: readonly Screen[]) {
  const [path, setPath] = useState(() => pathIn(location.hash));
  useEffect(() => {
    const look = () => {
      // The link that skips the menu has a fragment that names no screen.
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
