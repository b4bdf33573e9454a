import { render } from "preact";
import { App } from "./app.tsx";

// Without this, the browser would open a file that is dropped outside a drop area, and leave the page.
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App support={place.dataset.support ?? ""} />, place);
}
