// Runs in the browser, before Scalar's script.

// The content security policy allows style elements only with a nonce. Scalar sets it on some of its style elements
// only.
const { content: nonce } = document.querySelector("meta[property=csp-nonce]");
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => Object.assign(createElement(name, options), name === "style" && { nonce });

// Scalar stores its data, including credentials, in `localStorage`. Session storage in its place ends with the tab.
Object.defineProperty(window, "localStorage", { value: window.sessionStorage });
