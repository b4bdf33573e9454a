import { useEffect, useRef } from "preact/hooks";
import { Head } from "./parts/head.tsx";
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
              ({ path: own, menu: label }) =>
                label && (
                  <li key={own}>
                    <a href={`#${own}`} aria-current={found?.screen.path === own ? "page" : undefined}>
                      {label}
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
        {found ? <found.screen.Screen key={path} {...found.place} /> : <NotFound />}
      </main>
    </>
  );
}

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
