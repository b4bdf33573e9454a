import { useEffect, useRef } from "preact/hooks";
import { menuAddress, type Screen, useScreen } from "./findScreen.ts";
import type { Client, Output } from "./operations.ts";
import { Count, Head, Top } from "./parts/layout.tsx";
import { AccessReports } from "./screens/accessReports.tsx";
import { BusinessData } from "./screens/businessData.tsx";
import { BusinessLicenses } from "./screens/businessLicenses.tsx";
import { BusinessSales } from "./screens/businessSales.tsx";
import { Deposits } from "./screens/deposits.tsx";
import { Documents } from "./screens/documents.tsx";
import { FlaggedSales } from "./screens/flaggedSales.tsx";
import { Insights } from "./screens/insights.tsx";
import { Invite } from "./screens/invite.tsx";
import { Portfolio } from "./screens/portfolio.tsx";
import { Settings } from "./screens/settings.tsx";
import { Statements } from "./screens/statements.tsx";
import { OverviewContext, useLoad, useSession } from "./session.tsx";
import { inWords } from "./texts.ts";

/** All screens, in the order of the menu and of matching. */
const screens: readonly Screen[] = [
  { path: "/", menu: "Portfolio", Screen: Portfolio },
  { path: "/insights/:id?", menu: "Insights", waiting: "open_insights", isQueue: true, Screen: Insights },
  { path: "/documents/:id?", menu: "Documents", waiting: "documents_to_review", isQueue: true, Screen: Documents },
  { path: "/businesses/:crb_id", Screen: BusinessSales },
  { path: "/businesses/:crb_id/sales", isQueue: true, Screen: FlaggedSales },
  { path: "/businesses/:crb_id/licenses", Screen: BusinessLicenses },
  { path: "/businesses/:crb_id/data", Screen: BusinessData },
  { path: "/businesses/:crb_id/insights/:id?", isQueue: true, Screen: Insights },
  { path: "/businesses/:crb_id/documents/:id?", isQueue: true, Screen: Documents },
  { path: "/invite", Screen: Invite },
  { path: "/deposits", menu: "Deposits", Screen: Deposits },
  { path: "/statements", menu: "Statements", Screen: Statements },
  { path: "/access-reports", menu: "Access reports", Screen: AccessReports },
  { path: "/settings", menu: "Settings", Screen: Settings },
];

/** The age in milliseconds from which the overview is read again when another screen opens. */
const maxAgeMs = 60_000;

/** Businesses that a page of the overview has at most. */
const limit = 1_000;

/** All businesses, in as many pages as they need. Those that move between two pages are missing, so it reads again. */
async function readOverview(client: Client): Promise<Output<"getOverview">> {
  const found = new Map<string, Output<"getOverview">["data"][number]>();
  for (let attempt = 1; ; attempt++) {
    let page = await client("getOverview", { query: { limit } });
    for (let next = limit; ; next += limit) {
      for (const business of page.data) found.set(business.crb_id, business);
      if (next >= page.metadata.total) break;
      page = await client("getOverview", { query: { limit, offset: next } });
    }
    if (found.size >= page.metadata.total || attempt === 2) return { ...page, data: [...found.values()] };
  }
}

/** The frame of all screens: the menu, the person, and the screen that the address names. */
export function Shell() {
  const { institution, person, client, announce, signOut } = useSession();
  const { path, found } = useScreen(screens);
  const menu = useRef<HTMLElement>(null);
  const overview = useLoad("overview", () => readOverview(client));
  const { data, readAt, reload } = overview;

  // The portfolio shows the present figures, and other screens those of the last minute.
  useEffect(() => {
    if (readAt !== undefined && (found?.screen.menu === "Portfolio" || Date.now() - readAt > maxAgeMs)) reload();
  }, [path]);

  // On narrow windows, the menu covers the screen.
  useEffect(() => {
    announce("");
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
  }, [path]);

  return (
    <>
      <Top name={institution.name}>
        <nav id="menu" ref={menu} popover="auto" aria-label="Console">
          <ul class="steps">
            {screens.map(
              (screen) =>
                screen.menu && (
                  <li key={screen.path}>
                    <a href={menuAddress(screen)} aria-current={found?.screen === screen ? "page" : undefined}>
                      {screen.menu}
                      {screen.waiting && <Count of={sumOf(data, screen.waiting)} />}
                    </a>
                  </li>
                ),
            )}
          </ul>
          <div class="person">
            <span>
              <strong>{person.name ?? person.sub}</strong>
              <span class="faint">{inWords(person.role)}</span>
            </span>
            <button type="button" class="link" onClick={signOut}>
              Sign out
            </button>
          </div>
        </nav>
        <button type="button" popoverTarget="menu">
          Menu
        </button>
      </Top>
      <main class="frame" id="main" tabIndex={-1}>
        <OverviewContext.Provider value={overview}>
          {found ? <found.screen.Screen key={keyOf(found, path)} {...found.place} /> : <NotFound />}
        </OverviewContext.Provider>
      </main>
    </>
  );
}

/** A queue stays while its items are opened, so that the list is read once. All screens stay while filters change. */
const keyOf = ({ screen, place }: NonNullable<ReturnType<typeof useScreen>["found"]>, path: string): string =>
  screen.isQueue ? `${screen.path} ${place.parameters.crb_id}` : path.replace(/\?.*/s, "");

/** A sum over all businesses; undefined until it is known. */
const sumOf = (overview: Output<"getOverview"> | undefined, figure: NonNullable<Screen["waiting"]>) =>
  overview?.data.reduce((sum, business) => sum + business[figure], 0);

function NotFound() {
  return (
    <>
      <Head title="Not found" />
      <p>
        This address names no screen. Continue with the <a href="#/">portfolio</a>.
      </p>
    </>
  );
}
