// Runs in the browser, before Scalar's script.

// The content security policy takes style elements by their nonce, which Scalar and its parts give to some of theirs only.
const { content: nonce } = document.querySelector("meta[property=csp-nonce]");
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => Object.assign(createElement(name, options), name === "style" && { nonce });

// What Scalar keeps, credentials among it, ends with the tab.
Object.defineProperty(window, "localStorage", { value: window.sessionStorage });
