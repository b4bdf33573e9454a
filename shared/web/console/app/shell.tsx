import { useEffect, useRef } from "preact/hooks";
import { menuAddress } from "./findScreen.ts";
import { Head } from "./parts/layout.tsx";
import { Top } from "./parts/top.tsx";
import { screens } from "./screens.ts";
import { useSession } from "./session.tsx";
import { roleNames } from "./texts.ts";
import { useScreen } from "./useScreen.ts";

/** The frame of all screens: the menu, the person, and the screen that the address names. */
export function Shell() {
  const { institution, person, signOut } = useSession();
  const { path, found } = useScreen(screens);
  const menu = useRef<HTMLElement>(null);

  // On narrow windows, the menu covers the screen.
  useEffect(() => {
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
  }, [path]);

  return (
    <>
      <Top name={institution.name} href="#/">
        <nav id="menu" ref={menu} popover="auto" aria-label="Console">
          <ul>
            {screens.map(
              (screen) =>
                screen.menu && (
                  <li key={screen.path}>
                    <a href={menuAddress(screen)} aria-current={found?.screen === screen ? "page" : undefined}>
                      {screen.menu}
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
        <button class="menu-button" type="button" popoverTarget="menu">
          Menu
        </button>
      </Top>
      <main class="frame" id="main" tabIndex={-1}>
        {found ? <found.screen.Screen key={keyOf(found, path)} {...found.place} /> : <NotFound />}
      </main>
    </>
  );
}

/** A queue stays while its items are opened, so that the list is read once. */
const keyOf = ({ screen, place }: NonNullable<ReturnType<typeof useScreen>["found"]>, path: string): string =>
  screen.isQueue ? `${screen.path} ${place.parameters.crb_id}` : path;

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
