import { render } from "preact";
import { App } from "./app.tsx";

// A file that is dropped beside its place would be opened, in place of this page.
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App support={place.dataset.support ?? ""} />, place);
}
