// The page of burako play. It knows no rule: the server says what may be done, and why something may not.
// `family` is what is different from one kind of games to another: `parts`, the parts of the table beside the common
// ones, and functions that are given this `page`.
function playTable(texts, family) {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const language = document.documentElement.lang;
  const dock = $("dock");
  let now = null; // the table as last told
  let chosen = []; // the chosen elements of the hand, in the order in which they were chosen
  let asked = 0; // number of the last question about places
  let busy = false;
  let asking = false; // a hint may take long: the table can be played meanwhile
  const page = {
    $, texts, post, act, say, button, cards, names, enliven, lookUp, keep, unhint, putHand,
    get now() { return now; },
    get chosen() { return chosen; },
  };

  // Talking to the server.

  async function post(name, body) {
    const answer = await fetch(`/api/${name}?lang=${language}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ version: now.version, ...body }),
    });
    return { ok: answer.ok, ...(await answer.json()) };
  }

  async function act(name, body) {
    if (busy || !now) return;
    busy = true;
    try {
      const answer = await post(name, body);
      say(answer.refused || answer.error || "");
      if (answer.ok) chosen = [];
      await refresh();
    } catch (error) {
      offline(true);
    } finally {
      busy = false;
    }
  }

  async function refresh(after) {
    const wait = after === undefined ? "" : `&after=${after}&game=${now.game}`;
    const answer = await fetch(`/api/table?lang=${language}${wait}`);
    if (!answer.ok) throw new Error(answer.status);
    show(await answer.json());
    offline(false);
  }

  async function follow() {
    for (;;) {
      try {
        await refresh(now ? now.version : undefined);
      } catch (error) {
        offline(true);
        await new Promise((done) => setTimeout(done, 1500));
      }
    }
  }

  function offline(is) {
    if (is) say(texts.offline);
    else if (document.body.classList.contains("offline")) say("");
    document.body.classList.toggle("offline", is);
  }

  // Showing.

  function say(text, hinted) {
    $("refusal").textContent = text;
    $("refusal").classList.toggle("hint", Boolean(hinted));
  }

  function show(table) {
    const before = now;
    // Answers overtake one another; an older one is no news.
    if (before && before.game === table.game && table.version < before.version) return;
    if (before && before.game !== table.game) say(texts.restarted);
    const changed = !before || before.game !== table.game || before.version !== table.version;
    now = table;
    document.body.dataset.version = table.version;
    for (const part of ["seats", ...family.parts, "own"]) putPart($(part), table.html[part], Boolean(before));
    if (changed || !$("hand").firstElementChild) putHand(table.html.hand);
    if (changed && before) say("");
    $("prompt").textContent = table.prompt;
    dock.classList.toggle("mine", table.yours);
    dock.classList.toggle("over", Boolean(table.ending));
    putActions();
    putLog();
    putEnding();
    enliven();
    lookUp();
  }

  function putHand(html) {
    const kept = chosen.map((card) => card.dataset.card);
    const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.card : null;
    $("hand").innerHTML = html;
    if (family.sort) family.sort(page);
    chosen = [];
    for (const name of kept) {
      const card = cards().find((one) => one.dataset.card === name && !chosen.includes(one));
      if (card) chosen.push(card);
    }
    if (focused) {
      const again = cards().find((one) => one.dataset.card === focused) || cards()[0];
      if (again) again.focus({ preventScroll: true });
    }
  }

  function cards() {
    return [...document.querySelectorAll("#hand .card")];
  }

  function putActions() {
    const place = $("actions");
    const kinds = now.actions.map((one) => one.id).join();
    if (place.dataset.kinds === kinds && place.dataset.version === String(now.version)) return;
    place.dataset.kinds = kinds;
    place.dataset.version = now.version;
    const others = now.others || [];
    $("others").hidden = !others.length;
    $("others").length = 1;
    for (const one of others) $("others").add(new Option(one.text, one.id));
    place.replaceChildren(
      ...now.actions.map((one) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = one.text;
        button.dataset.kind = one.kind;
        if (one.key) button.dataset.key = one.key;
        if (family.isFirst(page, one)) button.className = "first";
        button.addEventListener("click", () => act("act", { action: one.id }));
        return button;
      }),
    );
  }

  function putLog() {
    const lines = now.log.map((event) => {
      const line = document.createElement("li");
      line.className = `team-${event.team}`;
      const name = document.createElement("b");
      name.textContent = event.name;
      line.append(name, ` ${event.text}`);
      return line;
    });
    $("log").replaceChildren(...lines.reverse());
  }

  function putEnding() {
    const place = $("ending");
    place.hidden = !now.ending;
    if (!now.ending) return place.replaceChildren();
    const title = document.createElement("h2");
    title.textContent = now.ending.title;
    const text = document.createElement("p");
    text.textContent = now.ending.text;
    const table = document.createElement("table");
    for (const row of now.ending.rows) {
      const line = table.insertRow();
      const name = document.createElement("th");
      name.textContent = row.name;
      const points = document.createElement("b");
      points.textContent = row.shown;
      line.append(name);
      line.insertCell().append(points);
      if (row.total !== undefined) line.insertCell().textContent = `→ ${row.total}`;
    }
    const next = document.createElement("button");
    next.type = "button";
    next.id = "next";
    next.className = "first";
    next.textContent = now.ending.next;
    next.addEventListener("click", () => act("next", {}));
    place.replaceChildren(title, text, table, next, ...(now.ending.sheet ? [scoreSheet(now.ending.sheet)] : []));
  }

  function button(element, label) {
    element.setAttribute("role", "button");
    element.tabIndex = 0;
    if (label) element.setAttribute("aria-label", label);
  }

  // Make what can be clicked a button for everybody, and mark what the server says is possible.
  function enliven() {
    cards().forEach((card, place) => {
      button(card);
      card.tabIndex = place ? -1 : 0;
      card.classList.toggle("on", chosen.includes(card));
      card.setAttribute("aria-pressed", String(chosen.includes(card)));
      const [can, dim] = family.marks(page, card);
      card.classList.toggle("can", can);
      card.classList.toggle("dim", dim);
    });
    family.enliven(page);
    $("undo").disabled = !now.undo;
    $("hint").disabled = !now.yours;
  }

  async function lookUp() {
    const number = ++asked;
    family.placed(page, {});
    if (family.asks(page)) {
      try {
        const answer = await post("places", { cards: names() });
        if (number !== asked) return;
        family.placed(page, answer);
      } catch (error) {
        return offline(true);
      }
    }
    enliven();
  }

  function names() {
    return chosen.map((card) => card.dataset.card);
  }

  // Doing.

  function choose(card) {
    if (!card) return;
    say("");
    unhint();
    chosen = chosen.includes(card) ? chosen.filter((one) => one !== card) : [...chosen, card];
    enliven();
    lookUp();
  }

  function clear() {
    chosen = [];
    say("");
    unhint();
    enliven();
    lookUp();
  }

  function unhint() {
    document.querySelectorAll(".hinted").forEach((one) => one.classList.remove("hinted"));
  }

  async function hint() {
    if (!now || !now.yours || asking) return;
    asking = true;
    try {
      const version = now.version;
      const answer = await post("hint", { agent: $("agent").value });
      if (now.version !== version) return;
      say(answer.text || answer.refused || answer.error, answer.text);
      unhint();
      family.hinted(page, answer);
    } catch (error) {
      offline(true);
    } finally {
      asking = false;
    }
  }

  function click(target) {
    const card = target.closest("#hand .card");
    if (card) return choose(card);
    family.click(page, target);
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("button, a, select, label, summary")) return;
    click(event.target);
  });
  $("undo").addEventListener("click", () => act("undo", {}));
  $("hint").addEventListener("click", hint);
  $("others").addEventListener("change", () => $("others").value && act("act", { action: Number($("others").value) }));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input, textarea")) return;
    const key = event.key.toLowerCase();
    const live = event.target.closest('[role="button"]');
    if (["arrowleft", "arrowright", "home", "end"].includes(key)) {
      const all = family.row ? family.row(page) : cards();
      if (!all.length) return;
      const place = all.indexOf(event.target);
      const at = place < 0 && key === "arrowleft" ? 0 : place;
      const step = { arrowleft: at - 1, arrowright: at + 1, home: 0, end: all.length - 1 }[key];
      all[(step + all.length) % all.length].focus();
    } else if ((key === " " || key === "enter") && live) {
      click(live);
    } else if (key === "escape") {
      clear();
    } else if (!(family.key && family.key(page, key))) {
      const found = document.querySelector(`#bar [data-key="${CSS.escape(key)}"]`);
      if (!found || found.disabled) return;
      found.click();
    }
    event.preventDefault();
  });

  // What a person likes to keep: `apply` hears of every change; true if something had been kept.

  function keep(id, attribute, apply) {
    const field = $(id);
    let stored = null;
    try {
      stored = localStorage.getItem(`burako-${id}`);
    } catch (error) {
      stored = null;
    }
    if (stored !== null && (attribute === "checked" || [...field.options].some((option) => option.value === stored)))
      field[attribute] = attribute === "checked" ? stored === "true" : stored;
    field.addEventListener("change", () => {
      try {
        localStorage.setItem(`burako-${id}`, field[attribute]);
      } catch (error) {
        // Nothing is kept then.
      }
      apply(field[attribute]);
    });
    return stored !== null;
  }
  if (family.setup) family.setup(page);
  keep("agent", "value", () => {});
  if (matchMedia("(max-width: 66rem)").matches) document.querySelector(".log").open = false;
  const hurry = (pace) => post("pace", { pace }).catch(() => offline(true));
  const chosenPace = keep("pace", "value", hurry);
  refresh()
    .then(() => chosenPace && hurry($("pace").value))
    .catch(() => offline(true))
    .finally(follow);
}
