/**
 * Runs in the browser that shows the reference page: a form below each operation calls this service and shows what it
 * answers. The page is whole without it. What comes from callers or the service is only ever set as text, and nothing
 * is kept: partner and token are gone with the page.
 */
(() => {
  /** @param {string} name @param {Record<string, string>} attributes @param {...(Node | string)} content */
  const make = (name, attributes = {}, ...content) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...content);
    return element;
  };

  /** More than that, a browser is slow to lay out. */
  const shownCharactersMax = 100_000;
  /** What is the same on every answer, or is the connection's. */
  const plainHeaders = new Set(
    "cache-control connection keep-alive content-length date content-security-policy referrer-policy strict-transport-security x-content-type-options x-frame-options".split(
      " ",
    ),
  );
  const partner = make("input", { autocomplete: "off", spellcheck: "false", placeholder: "demo" });
  const token = make("input", { type: "password", autocomplete: "off", spellcheck: "false" });

  const field = (label, input, note = "") => make("label", {}, label, make("small", {}, note), input);

  const addPanel = () => {
    const panel = make(
      "section",
      { id: "try-out", "aria-labelledby": "try-out-title" },
      make("h2", { id: "try-out-title" }, "Try it"),
      make(
        "p",
        {},
        "Each operation below has a form. Calls go from your browser to this very service and have their effects. The token stays in this page until it is closed; a login that you send here puts its token into the field.",
      ),
      field("Partner ", partner, "partnerId of the paths"),
      field("Token ", token, "of POST users/logins, for what says Bearer"),
    );
    document.querySelector("main").before(panel);
  };

  const inputOf = ({ values }) => {
    if (!values) return make("input", { autocomplete: "off", spellcheck: "false" });
    const options = values.map((value) => make("option", {}, value));
    return make("select", {}, make("option", { value: "" }, ""), ...options);
  };

  const addForm = (place) => {
    const call = JSON.parse(place.dataset.call);
    const fields = call.parameters
      .filter(({ name }) => name !== "partnerId")
      .map((parameter) => ({ ...parameter, input: inputOf(parameter) }));
    const body = make("textarea", { rows: "8", spellcheck: "false" });
    const button = make("button", {}, `Send ${call.method}`);
    const answer = make("div", { role: "status", class: "answer" });
    const form = make(
      "form",
      {},
      ...fields.map(({ name, place: where, required, input }) =>
        field(`${name} `, input, `${where}${required ? ", required" : ""}`),
      ),
      ...(call.body === null ? [] : [field("Body ", body, "application/json")]),
      button,
    );
    if (call.body !== null) body.value = call.body;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      button.disabled = true;
      send(call, fields, body.value)
        .then((shown) => answer.replaceChildren(...shown))
        .catch((error) => answer.replaceChildren(make("p", {}, `No answer: ${error.message}`)))
        .finally(() => (button.disabled = false));
    });
    const details = make("details", { class: "try" }, make("summary", {}, "Try it"), form, answer);
    place.replaceWith(details);
  };

  const addressOf = (call, fields) => {
    const values = new Map([["partnerId", partner.value.trim()]]);
    for (const { name, place, input } of fields) if (place === "path") values.set(name, input.value.trim());
    const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
      const value = values.get(name);
      if (!value) throw new Error(`${name} is empty.`);
      return encodeURIComponent(value);
    });
    const query = new URLSearchParams();
    for (const { name, place, input } of fields)
      if (place === "query" && input.value !== "") query.append(name, input.value);
    return query.size === 0 ? path : `${path}?${query}`;
  };

  const send = async (call, fields, body) => {
    const headers = new Headers();
    for (const { name, place, input } of fields)
      if (place === "header" && input.value !== "") headers.set(name, input.value);
    if (call.bearer) headers.set("Authorization", `Bearer ${token.value.trim()}`);
    const hasBody = call.body !== null && body.trim() !== "";
    if (hasBody) headers.set("Content-Type", "application/json");
    const startedAt = performance.now();
    const response = await fetch(addressOf(call, fields), {
      method: call.method,
      headers,
      ...(hasBody ? { body } : {}),
      credentials: "omit",
      redirect: "manual",
      cache: "no-store",
    });
    const bytes = await response.blob();
    const told = [...response.headers].filter(([name]) => !plainHeaders.has(name));
    const millis = Math.round(performance.now() - startedAt);
    return [
      make("p", {}, make("b", {}, `${response.status} ${response.statusText}`), `, ${millis} ms, ${bytes.size} bytes`),
      make("pre", { tabindex: "0" }, told.map(([name, value]) => `${name}: ${value}`).join("\n")),
      ...(bytes.size === 0 ? [] : await contentOf(call, response, bytes)),
    ];
  };

  const contentOf = async (call, response, bytes) => {
    const type = response.headers.get("content-type") ?? "";
    if (!/json|text|svg/.test(type)) {
      const link = make("a", { href: URL.createObjectURL(bytes), download: `${call.name}.pdf` }, "Save the file");
      return [make("p", {}, link)];
    }
    const text = await bytes.text();
    const read = type.includes("json") ? JSON.parse(text) : null;
    if (call.name === "logIn" && read !== null && response.ok) token.value = read.token;
    const code = read?.code ?? read?.errorCode;
    return [
      ...(typeof code === "string"
        ? [make("p", {}, "What it means: ", make("a", { href: `#${encodeURIComponent(code)}` }, code))]
        : []),
      make(
        "pre",
        { tabindex: "0" },
        (read === null ? text : JSON.stringify(read, null, 2)).slice(0, shownCharactersMax),
      ),
      ...(text.length > shownCharactersMax ? [make("p", {}, "Cut short here.")] : []),
    ];
  };

  addPanel();
  for (const place of document.querySelectorAll("[data-call]")) addForm(place);
})();
