"use strict";
// The person's side of the table. It knows what the server sends: the scene of one seat and that seat's legal actions.
(() => {
  const { el, WORDS } = Table;
  const TEXTS = {
    en: { you: "You", person: "you", choose: "Choose a card of yours.", undo: "Undo", hint: "Hint", next: "Deal again",
      yours: "Your turn", lost: "The server does not answer.", record: "record", hinted: "Hint", where: "Where to?",
      result: "Result" },
    es: { you: "Vos", person: "vos", choose: "Elegí una de tus cartas.", undo: "Deshacer", hint: "Consejo",
      next: "Repartir otra vez", yours: "Te toca", lost: "El servidor no responde.", record: "registro", hinted: "Consejo",
      where: "¿Adónde?", result: "Resultado" },
  };
  const by = (id) => document.getElementById(id);
  const open = new Set();
  let language = localStorage.getItem("language") || (navigator.language.startsWith("es") ? "es" : "en");
  let now = null, before = null, selected = null, hint = null, notice = "", known = 0;

  async function send(path, body) {
    document.body.classList.add("busy");
    try {
      const options = body === undefined ? {} : {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ number: now.number, ...body }),
      };
      const answer = await fetch(path, options);
      const got = await answer.json();
      notice = answer.ok ? "" : got.error[language];
      take(answer.ok ? got : got.state);
    } catch {
      notice = TEXTS[language].lost;
      show();
    } finally {
      document.body.classList.remove("busy");
    }
  }

  // A new situation: the choice of a card lasts as long as the decision.
  function take(got) {
    const moved = now === null || got.number !== now.number;
    if (moved) {
      before = now ? now.scene : null;
      known = now ? now.log.length : got.log.length;
      selected = null;
      hint = null;
    }
    now = got;
    if (got.hint) hint = got.hint;
    if (hint) selected = (now.legal.find((action) => action.text === hint.text) || {}).card || selected;
    show();
  }

  const play = (action) => send("act", { action: action.text });
  const button = (text, act, cls = "", key = "") => {
    const node = Table.titled(el("button", cls, text), key);
    node.addEventListener("click", act);
    return node;
  };
  const hinted = (action) => (hint && action.text === hint.text ? "hinted" : "");

  function show() {
    if (now === null) {
      by("notice").textContent = notice;
      return;
    }
    const t = TEXTS[language], w = WORDS[language], scene = now.scene, mine = scene.actor === now.seat;
    document.documentElement.lang = language;
    by("title").textContent = now.game;
    by("facts").textContent = scene.match ? `${w.hand} ${scene.match[0]}` : "";
    by("language").textContent = language === "en" ? "ES" : "EN";
    by("record").hidden = !now.over;
    by("record").textContent = t.record;
    by("status").textContent = mine ? `${t.yours}: ${w[scene.phase]}` : Table.status(scene, language);
    if (now.scores) by("status").textContent += ` · ${now.scores.join(" : ")}`;
    by("notice").textContent = notice || (hint ? `${t.hinted}: ${hint.words[language]}` : "");
    const others = scene.seats.map((_, place) => (now.seat + place) % scene.seats.length).slice(now.over ? 0 : 1);
    const agents = now.agents.map((name, seat) => (seat === now.seat ? t.person : name));
    Table.draw(by("table"), scene, { language, agents, hide: now.over ? null : now.seat, previous: before, open, seats: others });
    light();
    own(t, w, scene, mine);
    log(t, w);
  }

  // Where the chosen card, or the hand without one, may go: groups, pile and stock of the table.
  function light() {
    const root = by("table");
    const lit = (node, action) => {
      if (!node || !action) return;
      node.classList.add("lit");
      if (hinted(action)) node.classList.add("hinted");
      node.title = action.words[language];
      node.addEventListener("click", () => play(action));
    };
    const find = (kind) => now.legal.find((action) => action.kind === kind);
    lit(root.querySelector(".zone.stock"), find("draw_stock"));
    lit(root.querySelector(".zone.pile"), find("draw_pile"));
    if (selected === null) return;
    for (const action of now.legal.filter((one) => one.card === selected)) {
      if (action.kind === "discard") lit(root.querySelector(".zone.pile"), action);
      else lit(root.querySelector(`.team${now.seat % 2} [data-group="${action.target}"]`), action);
    }
  }

  function own(t, w, scene, mine) {
    const footer = by("own"), seat = scene.seats[now.seat];
    footer.className = mine ? "mine" : "";
    const usable = new Set(now.legal.map((action) => action.card));
    let drawn = seat.drawn;
    const parts = seat.hand.map((part) => el("span", "part", part.map((name) => {
      const marks = [usable.has(name) ? "usable" : "idle"];
      if (name === selected) marks.push("selected");
      if (name === drawn) {
        marks.push("drawn");
        drawn = null;
      }
      const node = Table.card(name, marks.join(" "), "button");
      node.setAttribute("aria-pressed", String(name === selected));
      node.addEventListener("click", () => {
        selected = selected === name ? null : name;
        notice = "";
        show();
      });
      return node;
    })));
    const plain = now.legal.filter((action) => action.card === null);
    const laid = selected === null ? [] : now.legal.filter((action) => action.card === selected);
    const actions = [...plain, ...laid].map((action) =>
      button(action.words[language], () => play(action), `go ${hinted(action)}`));
    if (now.over) actions.push(button(t.next, () => send("next", {}), "go"));
    else if (!actions.length && mine) actions.push(el("span", "label", t.choose));
    const bottom = seat.bottom ? el("span", "label", `${w.bottom}: ${seat.bottom}`) : null;
    const undo = button(t.undo, () => send("undo", {}), "", "U");
    undo.disabled = !now.undo;
    const advice = button(t.hint, () => send("hint", {}), "", "H");
    advice.disabled = now.over;
    footer.replaceChildren(
      el("h3", "", `${t.you} · ${w.player} ${now.seat}`, el("span", "facts", `${seat.size} ${w.cards}`), bottom || ""),
      el("div", "cards", parts), el("div", "line", actions, undo, advice));
  }

  function log(t, w) {
    const list = el("ol", "", now.log.map((line, place) => {
      const mark = line.by === null ? "end" : line.by === now.seat ? "me" : "";
      const who = line.by === null ? null
        : el("span", `team${line.by % 2}`, line.by === now.seat ? `${t.you}: ` : `${w.player} ${line.by}: `);
      return el("li", `${mark} ${place >= known ? "news" : ""}`, who, line.words[language]);
    }));
    by("log").replaceChildren(list);
    list.scrollTop = list.scrollHeight;
  }

  function otherLanguage() {
    language = language === "en" ? "es" : "en";
    localStorage.setItem("language", language);
    notice = "";
    show();
  }

  by("language").addEventListener("click", otherLanguage);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || now === null) return;
    const acts = {
      u: () => now.undo && send("undo", {}), h: () => !now.over && send("hint", {}), l: otherLanguage,
      escape: () => { selected = null; show(); },
    };
    const act = acts[event.key.toLowerCase()];
    if (act) act();
  });
  // Another tab may have played on.
  window.addEventListener("focus", () => { if (now !== null) send("state"); });
  send("state");
})();
