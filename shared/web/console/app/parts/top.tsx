import type { ComponentChildren } from "preact";

/** The head of the page. @param name the institution, or the operator before the sign-in */
export function Top({ name, href, children }: { name: string; href?: string; children?: ComponentChildren }) {
  const brand = (
    <>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M10 1 1.5 6v1.5h17V6zM3 9h2.4v7H3zm5.8 0h2.4v7H8.8zm5.8 0H17v7h-2.4zM1.5 17h17v2h-17z" />
      </svg>
      {name}
    </>
  );
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <div class="frame">
          {href ? (
            <a class="brand" href={href}>
              {brand}
            </a>
          ) : (
            <span class="brand">{brand}</span>
          )}
          {children}
        </div>
      </header>
    </>
  );
}

/** The foot of the page. */
export function Foot({ operator, privacy }: { operator: string; privacy: string }) {
  return (
    <footer class="foot">
      <div class="frame">
        <span>A service of {operator}</span>
        <span>No password of yours is entered on this page</span>
        <a href={privacy} target="_blank" rel="noreferrer">
          Privacy notice
        </a>
      </div>
    </footer>
  );
}
