"use strict";
// The table of a scene (see scene.py), for the replay and for play. All text goes in as text, never as markup.
const Table = (() => {
  const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };
  const WORDS = {
    en: {
      team: "Team", player: "Player", stock: "stock", pile: "pile", empty: "empty", burakos: "burakos left",
      points: "points now", total: "total", of: "of", wild: "wilds", set: "set of", run: "run", closed: "closed bazas",
      cards: "cards", card: "card", known: "known", drawn: "drawn", bottom: "bottom of the stock", cut: "cut", taken: "burako",
      turn: "turn", over: "the hand is over", act: "to act", last: "turns after this one", nothing: "nothing laid",
      draw: "draw", look: "look at the card", lay: "lay or discard", answer: "answer", burako: "burako", hand: "hand",
      all: "all hands", view: "view", sets: "sets of", more: "must go on", newrun: "new run", dealt: "dealt",
      autoplay: "play", pause: "pause", reason: { out: "went out", exhausted: "stock used up", truncated: "cut off",
        unfinished: "broken off" }, keys: "← → step · ↑ ↓ turn · Home End · Space plays · V view · L language",
      kinds: { "clean set": "clean set", "dirty set": "dirty set", "clean run": "clean run", "dirty run": "dirty run",
        "clean aces": "clean aces", "dirty aces": "dirty aces", wilds: "wilds" },
    },
    es: {
      team: "Equipo", player: "Jugador", stock: "mazo", pile: "pozo", empty: "vacío", burakos: "burakos por tomar",
      points: "puntos ahora", total: "total", of: "de", wild: "comodines", set: "trío de", run: "escalera",
      closed: "canastas cerradas", cards: "cartas", card: "carta", known: "se sabe", drawn: "tomada", bottom: "fondo del mazo",
      cut: "cortó el mazo", taken: "burako", turn: "turno", over: "la mano terminó", act: "juega",
      last: "turnos después de este", nothing: "nada bajado", draw: "tomar", look: "mirar la carta",
      lay: "bajar o descartar", answer: "responder", burako: "burako", hand: "mano", all: "todas las manos",
      view: "vista", sets: "tríos de", more: "hay que seguir", newrun: "escalera nueva", dealt: "se repartió",
      autoplay: "reproducir", pause: "pausa", reason: { out: "cortó", exhausted: "se acabó el mazo",
        truncated: "interrumpida", unfinished: "sin terminar" },
      keys: "← → paso · ↑ ↓ turno · Inicio Fin · Espacio reproduce · V vista · L idioma",
      kinds: { "clean set": "trío limpio", "dirty set": "trío sucio", "clean run": "escalera limpia",
        "dirty run": "escalera sucia", "clean aces": "ases limpios", "dirty aces": "ases sucios", wilds: "comodines" },
    },
  };

  // An element with a class and children: nodes or text; null is left out.
  function el(tag, cls, ...children) {
    const node = document.createElement(tag);
    if (cls) node.className = cls;
    for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
    return node;
  }

  function card(name, cls = "", tag = "span") {
    if (name === null) return el(tag, `card back ${cls}`);
    if (name === "JK") return titled(el(tag, `card wild ${cls}`, el("b", "", "★"), el("i", "", "JK")), name);
    const rank = name.slice(0, -1), suit = name.slice(-1);
    const colour = suit === "D" || suit === "H" ? "red" : "black";
    const wild = rank === "2" ? "wild" : "";
    return titled(el(tag, `card ${colour} ${wild} ${cls}`, el("b", "", rank), el("i", "", SUITS[suit])), name);
  }

  function titled(node, title) {
    node.title = title;
    return node;
  }

  function groupName(name, words) {
    const [kind, which] = name.split(" ");
    if (kind === "wild") return words.wild;
    return kind === "set" ? `${words.set} ${which}` : `${words.run} ${SUITS[which[0]]}${which.slice(1)}`;
  }

  function middle(scene, words) {
    const size = scene.below.length + scene.top.length;
    const last = scene.top.length - 1;
    return el("section", "middle",
      el("div", "zone stock", el("h3", "", words.stock), el("div", "cards", card(null, scene.stock ? "" : "none"),
        el("span", "count", String(scene.stock)))),
      el("div", "zone pile", el("h3", "", `${words.pile} · ${size || words.empty}`), el("div", "cards",
        scene.below.map((name) => card(name, "below")),
        scene.top.map((name, place) => card(name, place === last ? "uppermost" : "")))));
  }

  function team(scene, number, words, options) {
    const own = scene.teams[number];
    const before = options.previous ? options.previous.teams[number] : null;
    const was = new Map((before ? before.groups : []).map((group) => [group.name, group.cards.length]));
    const facts = [`${words.burakos}: ${own.burakos}`];
    if (own.points !== null && options.hide === null) facts.push(`${words.points}: ${own.points}`);
    if (scene.target) facts.push(`${words.total}: ${own.total} ${words.of} ${scene.target}`);
    const groups = own.groups.map((group) => {
      const fresh = before && (was.get(group.name) || 0) < group.cards.length ? "fresh" : "";
      const node = el("div", `group ${group.half ? "half" : ""} ${fresh}`,
        el("div", "label", groupName(group.name, words) + (group.half ? ` · ${words.more}` : "")),
        el("div", "cards", group.cards.map((name) => card(name))));
      node.dataset.group = group.name;
      return node;
    });
    const kinds = Object.entries(own.kinds);
    const bazas = kinds.length === 0 ? null : el("details", before && before.closed.length < own.closed.length
      ? "bazas fresh" : "bazas",
      el("summary", "", el("span", "label", words.closed),
        kinds.map(([kind, count]) => el("span", `badge ${kind.split(" ")[0]}`, `${count} × ${words.kinds[kind]}`)),
        own.closed_ranks.length ? el("span", "label", `${words.sets} ${own.closed_ranks.join(" ")}`) : null),
      el("div", "cards small", own.closed.map((name) => card(name))));
    if (bazas && options.open && options.open.has(number)) bazas.open = true;
    if (bazas && options.open) bazas.addEventListener("toggle", () => {
      if (bazas.open) options.open.add(number); else options.open.delete(number);
    });
    const node = el("section", `team team${number}`,
      el("h2", "", `${words.team} ${number}`, el("span", "facts", facts.join(" · "))),
      bazas, el("div", "groups", groups.length || bazas ? groups : el("p", "nothing", words.nothing)));
    node.dataset.team = String(number);
    return node;
  }

  function seat(scene, number, words, options) {
    const own = scene.seats[number];
    const hidden = own.hand === null || (options.hide !== null && options.hide !== number);
    const notes = [`${own.size} ${own.size === 1 ? words.card : words.cards}`];
    if (own.burakos) notes.push(own.burakos > 1 ? `${own.burakos} × ${words.taken}` : words.taken);
    if (own.cut) notes.push(words.cut);
    const cards = el("div", "cards");
    if (hidden) {
      const backs = Math.max(own.size - own.known.length, 0);
      own.known.forEach((name) => cards.append(card(name, "known")));
      for (let back = 0; back < Math.min(backs, 24); back += 1) cards.append(card(null, "thin"));
    } else {
      let drawn = own.drawn;
      own.hand.forEach((part) => cards.append(el("span", "part", part.map((name) => {
        const mark = name === drawn ? "drawn" : "";
        if (mark) drawn = null;
        return card(name, mark);
      }))));
    }
    const extra = !hidden && own.bottom ? el("span", "label", `${words.bottom}: `, card(own.bottom, "mini")) : null;
    const state = scene.actor === number ? "acting" : scene.phase !== "over" && scene.turn_of === number ? "turn" : "";
    return el("section", `seat team${number % 2} ${state}`,
      el("h3", "", el("span", "name", `${words.player} ${number}`),
        options.agents[number] ? titled(el("span", "agent", options.agents[number]), options.agents[number]) : null,
        el("span", "facts", notes.join(" · "))), cards, extra);
  }

  // Draw a scene into `root`. options: language, agents (names by seat), hide (the seat whose view it is, null: all),
  // previous (a scene, to mark what is new), open (a set of teams whose bazas are unfolded), seats (which, in order).
  function draw(root, scene, options) {
    const words = WORDS[options.language];
    const seats = options.seats || scene.seats.map((_, number) => number);
    root.replaceChildren(middle(scene, words),
      el("div", "teams", scene.teams.map((_, number) => team(scene, number, words, options))),
      el("div", "seats", seats.map((number) => seat(scene, number, words, options))));
  }

  // Where the hand stands, in words.
  function status(scene, language) {
    const words = WORDS[language];
    if (scene.phase === "over") return words.over;
    const last = scene.final_turns === null ? "" : ` · ${scene.final_turns} ${words.last}`;
    return `${words.player} ${scene.actor} ${words.act}: ${words[scene.phase]}${last}`;
  }

  return { WORDS, SUITS, el, card, titled, groupName, draw, status };
})();
