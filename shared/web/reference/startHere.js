// Runs in the browser. The element <start-here> shows the first three calls of the page. Its property `values`
// (BASE_URL, CLIENT_SECRET, SP_ID, CRB_ID) fills them. Each of its `credentials` ({name, secret}) becomes a button,
// which dispatches the event `credential` with the secret as detail.

const calls = [
  ["Who you are", ({ SP_ID }) => `/service-providers/${SP_ID}`],
  ["Whom you serve", ({ SP_ID }) => `/service-providers/${SP_ID}/crbs?limit=10`],
  ["What they sold in a week", ({ SP_ID, CRB_ID }) => `/service-providers/${SP_ID}/crbs/${CRB_ID}/sales-days?limit=7`],
];

const languages = {
  curl: (url, secret) => `curl -s -H "Authorization: ${secret}" \\\n  "${url}"`,
  Python: (url, secret) => `import json, urllib.request

headers = {"Authorization": "${secret}"}
request = urllib.request.Request("${url}", headers=headers)
print(json.load(urllib.request.urlopen(request)))`,
  TypeScript: (url, secret) => `const response = await fetch("${url}", {
  headers: { Authorization: "${secret}" },
});
console.log(await response.json());`,
};

class StartHere extends HTMLElement {
  #samples = [];

  connectedCallback() {
    if (this.firstChild) return;
    this.append(document.getElementById("start-here").content.cloneNode(true));
    for (const name of Object.keys(languages)) this.querySelector(".languages").append(this.#choice(name));
    for (const [title, path] of calls) this.querySelector(".calls").append(this.#call(title, path));
    const isDemo = this.credentials.length > 0;
    this.querySelector(".demo").hidden = !isDemo;
    this.querySelector(".placeholders").hidden = isDemo;
    for (const credential of this.credentials) this.querySelector(".credentials").append(this.#button(credential));
    this.#show("curl");
  }

  #choice(name) {
    const input = Object.assign(document.createElement("input"), { type: "radio", name: "language", value: name });
    input.checked = name === "curl";
    input.addEventListener("change", () => this.#show(name));
    const label = document.createElement("label");
    label.append(input, name);
    return label;
  }

  #call(title, path) {
    const item = document.createElement("li");
    const code = document.createElement("code");
    const block = document.createElement("pre");
    // Wide code scrolls. The tab index makes it scrollable by keyboard, too.
    block.tabIndex = 0;
    block.append(code);
    const copy = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
    copy.setAttribute("aria-label", `Copy: ${title}`);
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      this.#say(copy, "Copied");
    });
    this.#samples.push({ code, path });
    item.append(title, copy, block);
    return item;
  }

  #button({ name, secret }) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    button.addEventListener("click", () => {
      this.dispatchEvent(new CustomEvent("credential", { detail: secret }));
      this.querySelector("[role=status]").textContent = `The operations below are now tried as ${name}.`;
    });
    return button;
  }

  #show(language) {
    const { BASE_URL, CLIENT_SECRET } = this.values;
    for (const { code, path } of this.#samples) {
      code.textContent = languages[language](BASE_URL + path(this.values), CLIENT_SECRET);
    }
  }

  #say(button, text) {
    const before = button.textContent;
    button.textContent = text;
    setTimeout(() => {
      button.textContent = before;
    }, 1_500);
  }
}

customElements.define("start-here", StartHere);
