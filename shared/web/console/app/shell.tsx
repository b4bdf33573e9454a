import { useEffect, useRef } from "preact/hooks";
import { menuAddress, type Screen } from "./findScreen.ts";
import type { Output } from "./operations.ts";
import { OverviewContext } from "./overview.ts";
import { Count, Head } from "./parts/layout.tsx";
import { Top } from "./parts/top.tsx";
import { screens } from "./screens.ts";
import { useSession } from "./session.tsx";
import { roleNames } from "./texts.ts";
import { useRead } from "./useRead.ts";
import { useScreen } from "./useScreen.ts";

/** The age in milliseconds from which the overview is read again when another screen opens. */
const maxAgeMs = 60_000;

/** The frame of all screens: the menu, the person, and the screen that the address names. */
export function Shell() {
  const { institution, person, signOut } = useSession();
  const { path, found } = useScreen(screens);
  const menu = useRef<HTMLElement>(null);
  const overview = useRead("getOverview", { query: { limit: 1000 } });
  const { data, readAt, reload } = overview;

  // The portfolio shows the present figures, and other screens those of the last minute.
  useEffect(() => {
    if (readAt !== undefined && (found?.screen.menu === "Portfolio" || Date.now() - readAt > maxAgeMs)) reload();
  }, [path]);

  // On narrow windows, the menu covers the screen.
  useEffect(() => {
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
  }, [path]);

  return (
    <>
      <Top name={institution.name} href="#/">
        <nav id="menu" ref={menu} popover="auto" aria-label="Console">
          <ul class="list tabs">
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
              <span class="faint">{roleNames[person.role]}</span>
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

/** A queue stays while its items are opened, so that the list is read once. */
const keyOf = ({ screen, place }: NonNullable<ReturnType<typeof useScreen>["found"]>, path: string): string =>
  screen.isQueue ? `${screen.path} ${place.parameters.crb_id}` : path;

/** A sum over all businesses; undefined until it is known. Beyond 1,000 businesses, it is not. */
const sumOf = (overview: Output<"getOverview"> | undefined, figure: NonNullable<Screen["waiting"]>) =>
  overview?.metadata.total === overview?.data.length
    ? overview?.data.reduce((sum, business) => sum + business[figure], 0)
    : undefined;

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
