import { render } from "preact";
import { App } from "./app.tsx";

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App support={place.dataset.support ?? ""} />, place);
}
