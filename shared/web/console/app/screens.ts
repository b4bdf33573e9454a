import type { Screen } from "./findScreen.ts";
import { Portfolio } from "./screens/portfolio.tsx";

/** All screens, in the order of the menu and of matching. */
export const screens: readonly Screen[] = [{ path: "/", menu: "Portfolio", Screen: Portfolio }];
