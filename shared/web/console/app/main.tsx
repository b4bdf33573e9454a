import { render } from "preact";
import { apiAddress, shortNameIn } from "./address.ts";
import { App } from "./app.tsx";

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  const { operator = "", privacy = "", support = "" } = place.dataset;
  const shortName = shortNameIn(location.pathname);
  render(<App {...{ operator, privacy, support, shortName }} api={apiAddress(location)} />, place);
}
