import type { Screen } from "./findScreen.ts";
import { BusinessSales } from "./screens/businessSales.tsx";
import { Portfolio } from "./screens/portfolio.tsx";

/** All screens, in the order of the menu and of matching. */
export const screens: readonly Screen[] = [
  { path: "/", menu: "Portfolio", Screen: Portfolio },
  { path: "/businesses/:crb_id", Screen: BusinessSales },
];
