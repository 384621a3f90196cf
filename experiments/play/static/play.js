// The page of burako play. It knows no rule: the server says what may be done, and why something may not.
// `family` is what is different from one family of games to another: `parts`, the parts of the table in addition to the
// common ones, and functions that are given this `page`.
function playTable(texts, family) {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const cards = () => all("#hand .card");
  const names = () => chosen.map((card) => card.dataset.card);
  const language = document.documentElement.lang;
  let now = null; // the table as last told
  let chosen = []; // the chosen elements of the hand, in the order in which they were chosen
  let asked = 0; // number of the last question about places
  let busy = false;
  let asking = false; // a hint may take long: the table can be played meanwhile
  const page = {
    $, all, texts, act, say, make, press, cards, names, enliven, keep, putHand,
    get now() { return now; },
    get chosen() { return chosen; },
  };

  // Talking to the server.

  // The answer of an address; without one the page says so, and there is none.
  async function ask(path, options) {
    try {
      const answer = await fetch(`/api/${path}`, options);
      return { ok: answer.ok, ...(await answer.json()) };
    } catch (error) {
      offline(true);
      return null;
    }
  }

  function post(name, body) {
    return ask(`${name}?lang=${language}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ version: now.version, ...body }),
    });
  }

  async function act(name, body) {
    if (busy || !now) return;
    busy = true;
    try {
      const answer = await post(name, body);
      if (!answer) return;
      say(answer.refused || answer.error || "");
      if (answer.ok) chosen = [];
      await refresh();
    } finally {
      busy = false;
    }
  }

  // Whether the table has been told.
  async function refresh(after) {
    const wait = after === undefined ? "" : `&after=${after}&game=${now.game}`;
    const table = await ask(`table?lang=${language}${wait}`);
    const told = Boolean(table && table.ok);
    if (told) show(table);
    offline(!told);
    return told;
  }

  async function follow() {
    for (;;) if (!(await refresh(now ? now.version : undefined))) await new Promise((done) => setTimeout(done, 1500));
  }

  function offline(is) {
    if (is) say(texts.offline);
    else if (document.body.classList.contains("offline")) say("");
    document.body.classList.toggle("offline", is);
  }

  // Showing.

  function make(tag, { data, ...properties }, ...content) {
    const element = Object.assign(document.createElement(tag), tag === "button" ? { type: "button" } : {}, properties);
    Object.assign(element.dataset, data);
    element.append(...content);
    return element;
  }

  function say(text, hinted) {
    $("refusal").textContent = text;
    $("refusal").classList.toggle("hint", Boolean(hinted));
  }

  function show(table) {
    const before = now;
    const same = before && before.game === table.game;
    // Answers overtake one another; an older one is no news.
    if (same && table.version < before.version) return;
    if (before && !same) say(texts.restarted);
    const changed = !same || before.version !== table.version;
    now = table;
    document.body.dataset.version = table.version;
    for (const part of ["seats", ...family.parts, "own"]) putPart($(part), table.html[part], Boolean(before));
    if (changed || !$("hand").firstElementChild) putHand(table.html.hand);
    if (changed && before) say("");
    $("prompt").textContent = table.prompt;
    $("dock").classList.toggle("mine", table.yours);
    $("dock").classList.toggle("over", Boolean(table.ending));
    putActions();
    const line = ({ team, name, text }) => make("li", { className: `team-${team}` }, make("b", {}, name), ` ${text}`);
    $("log").replaceChildren(...table.log.map(line).reverse());
    $("ending").hidden = !table.ending;
    $("ending").replaceChildren(...(table.ending ? ending(table.ending) : []));
    lookUp();
  }

  function putHand(html) {
    const kept = names();
    const focused = document.activeElement?.dataset?.card;
    $("hand").innerHTML = html;
    family.sort?.(page);
    chosen = [];
    for (const name of kept) {
      const card = cards().find((one) => one.dataset.card === name && !chosen.includes(one));
      if (card) chosen.push(card);
    }
    if (focused) (cards().find((one) => one.dataset.card === focused) || cards()[0])?.focus({ preventScroll: true });
  }

  function putActions() {
    const place = $("actions");
    const told = [now.version, ...now.actions.map((one) => one.id)].join();
    if (place.dataset.told === told) return;
    place.dataset.told = told;
    const others = now.others || [];
    $("others").hidden = !others.length;
    $("others").length = 1;
    for (const one of others) $("others").add(new Option(one.text, one.id));
    const action = ({ id, kind, key, text }, first) =>
      make("button", {
        className: first ? "first" : "",
        onclick: () => act("act", { action: id }),
        data: { kind, ...(key && { key }) },
      }, text);
    place.replaceChildren(...now.actions.map((one) => action(one, family.isFirst(page, one))));
  }

  function ending({ title, text, rows, next, sheet }) {
    const cells = ({ name, shown, total }) => [
      make("th", {}, name),
      make("td", {}, make("b", {}, shown)),
      ...(total === undefined ? [] : [make("td", {}, `→ ${total}`)]),
    ];
    return [
      make("h2", {}, title),
      make("p", {}, text),
      make("table", {}, ...rows.map((row) => make("tr", {}, ...cells(row)))),
      make("button", { id: "next", className: "first", onclick: () => act("next", {}) }, next),
      ...(sheet ? [scoreSheet(sheet)] : []),
    ];
  }

  // An element that can be clicked is a button for everybody.
  function press(element, tabIndex = 0) {
    element.setAttribute("role", "button");
    element.tabIndex = tabIndex;
  }

  // Mark what the server says is possible.
  function enliven() {
    cards().forEach((card, place) => {
      const on = chosen.includes(card);
      const [can, dim] = family.marks(page, card);
      press(card, place ? -1 : 0);
      card.setAttribute("aria-pressed", String(on));
      for (const [mark, is] of Object.entries({ on, can, dim })) card.classList.toggle(mark, is);
    });
    family.enliven(page);
    $("undo").disabled = !now.undo;
    $("hint").disabled = !now.yours;
  }

  async function lookUp() {
    enliven();
    const number = ++asked;
    family.placed(page, {});
    if (chosen.length && family.asks(page)) {
      const answer = await post("places", { cards: names() });
      if (!answer || number !== asked) return;
      family.placed(page, answer);
    }
    enliven();
  }

  // Doing.

  function choose(cards) {
    chosen = cards;
    say("");
    unhint();
    lookUp();
  }

  function unhint() {
    all(".hinted").forEach((one) => one.classList.remove("hinted"));
  }

  async function hint() {
    if (!now || !now.yours || asking) return;
    asking = true;
    const version = now.version;
    const answer = await post("hint", { agent: $("agent").value });
    asking = false;
    if (!answer || now.version !== version) return;
    say(answer.text || answer.refused || answer.error, answer.text);
    unhint();
    for (const one of family.hinted(page, answer)) one?.classList.add("hinted");
  }

  function click(target) {
    const card = target.closest("#hand .card");
    if (card) choose(chosen.includes(card) ? chosen.filter((one) => one !== card) : [...chosen, card]);
    else if (now && now.yours) family.click(page, target);
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest("button, a, select, label, summary")) click(event.target);
  });
  $("undo").addEventListener("click", () => act("undo", {}));
  $("hint").addEventListener("click", hint);
  $("others").addEventListener("change", () => $("others").value && act("act", { action: Number($("others").value) }));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input, textarea")) return;
    const key = event.key.toLowerCase();
    const live = event.target.closest('[role="button"]');
    if (["arrowleft", "arrowright", "home", "end"].includes(key)) {
      const row = family.row ? family.row(page) : cards();
      if (!row.length) return;
      const place = row.indexOf(event.target);
      const at = place < 0 && key === "arrowleft" ? 0 : place;
      const step = { arrowleft: at - 1, arrowright: at + 1, home: 0, end: row.length - 1 }[key];
      row[(step + row.length) % row.length].focus();
    } else if ((key === " " || key === "enter") && live) {
      click(live);
    } else if (key === "escape") {
      choose([]);
    } else if (!family.key?.(page, key)) {
      const found = document.querySelector(`#bar [data-key="${CSS.escape(key)}"]`);
      if (!found || found.disabled) return;
      found.click();
    }
    event.preventDefault();
  });

  // What a person likes to keep: `apply` hears of every change; true if something had been kept. Some browsers keep
  // nothing, and say so by an error.
  function keep(id, attribute, apply) {
    const field = $(id);
    let stored = null;
    try {
      stored = localStorage.getItem(`burako-${id}`);
    } catch (error) {}
    if (stored !== null && attribute === "checked") field.checked = stored === "true";
    else if ([...(field.options || [])].some((option) => option.value === stored)) field.value = stored;
    field.addEventListener("change", () => {
      try {
        localStorage.setItem(`burako-${id}`, field[attribute]);
      } catch (error) {}
      apply(field[attribute]);
    });
    return stored !== null;
  }
  family.setup?.(page);
  keep("agent", "value", () => {});
  if (matchMedia("(max-width: 66rem)").matches) document.querySelector(".log").open = false;
  const hurry = (pace) => post("pace", { pace });
  const chosenPace = keep("pace", "value", hurry);
  refresh()
    .then((told) => told && chosenPace && hurry($("pace").value))
    .finally(follow);
}
