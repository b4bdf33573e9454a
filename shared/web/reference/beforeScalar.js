// Runs in the browser, before Scalar's script.

// The content security policy allows only style elements with the nonce, but Scalar sets the nonce on only some of its
// style elements.
const { content: nonce } = document.querySelector("meta[property=csp-nonce]");
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => Object.assign(createElement(name, options), name === "style" && { nonce });

// Scalar stores its data, including credentials, in `localStorage`. Session storage replaces it here, because the
// browser deletes session storage when the tab closes.
Object.defineProperty(window, "localStorage", { value: window.sessionStorage });
