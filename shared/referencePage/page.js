// Runs in the browser, after Scalar's script. What is set here keeps the page to its own origin, and credentials in
// memory: nothing is kept when the tab is closed.
const place = document.getElementById("reference");
const stage = new URL(".", location.href).href.replace(/\/$/, "");

/** The guides name a stage for the reader to replace; here it is known. */
const text = await (await fetch(place.dataset.document)).text();
const content = JSON.parse(text.replaceAll("https://api.example.com", stage));

place.replaceChildren();
Scalar.createApiReference("#reference", {
  content,
  servers: [{ url: stage }],
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  documentDownloadType: "none",
  modelsSectionLabel: "Records",
  // Their tabs leave no room for those of Node.js and Python, which the guides use.
  hiddenClients: { php: true, ruby: true },
  generateOperationSlug: ({ operationId }) => operationId,
});
