import type { Screen } from "./findScreen.ts";
import { AccessReports } from "./screens/accessReports.tsx";
import { BusinessData } from "./screens/businessData.tsx";
import { BusinessLicenses } from "./screens/businessLicenses.tsx";
import { BusinessSales } from "./screens/businessSales.tsx";
import { Deposits } from "./screens/deposits.tsx";
import { Documents } from "./screens/documents.tsx";
import { FlaggedSales } from "./screens/flaggedSales.tsx";
import { Insights } from "./screens/insights.tsx";
import { Portfolio } from "./screens/portfolio.tsx";
import { Settings } from "./screens/settings.tsx";
import { Statements } from "./screens/statements.tsx";

/** All screens, in the order of the menu and of matching. */
export const screens: readonly Screen[] = [
  { path: "/", menu: "Portfolio", Screen: Portfolio },
  { path: "/insights/:id?", menu: "Insights", waiting: "open_insights", isQueue: true, Screen: Insights },
  { path: "/documents/:id?", menu: "Documents", waiting: "documents_to_review", isQueue: true, Screen: Documents },
  { path: "/businesses/:crb_id", Screen: BusinessSales },
  { path: "/businesses/:crb_id/sales", isQueue: true, Screen: FlaggedSales },
  { path: "/businesses/:crb_id/licenses", Screen: BusinessLicenses },
  { path: "/businesses/:crb_id/data", Screen: BusinessData },
  { path: "/deposits", menu: "Deposits", Screen: Deposits },
  { path: "/statements", menu: "Statements", Screen: Statements },
  { path: "/access-reports", menu: "Access reports", Screen: AccessReports },
  { path: "/settings", menu: "Settings", Screen: Settings },
];
