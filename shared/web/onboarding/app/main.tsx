import { render } from "preact";
import { App } from "./app.tsx";

// Without this loop, the browser would leave the page and open a file that the visitor drops outside a drop area.
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App operator={place.dataset.operator ?? ""} support={place.dataset.support ?? ""} />, place);
}
