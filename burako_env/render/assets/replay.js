"use strict";
// Steps through the frames of a record: buttons, a slider and keys.
(() => {
  const { pool, data } = JSON.parse(document.getElementById("data").textContent);
  const { el, WORDS } = Table;
  const frames = data.frames.map((frame) => ({
    hand: 0, action: null, by: null, ...frame,
    seats: frame.seats.map((part) => pool[part]), teams: frame.teams.map((part) => pool[part]),
  }));
  const root = document.getElementById("table");
  const bar = document.getElementById("bar");
  const open = new Set();
  let at = 0, language = navigator.language.startsWith("es") ? "es" : "en", view = null, timer = null, delay = 700;
  const words = () => WORDS[language];
  const players = frames[0].seats.length;
  const oneSeat = frames[0].observer;
  const asked = Number(new URLSearchParams(location.hash.slice(1)).get("step"));
  if (Number.isInteger(asked)) at = Math.min(Math.max(asked, 0), frames.length - 1);

  function go(to) {
    at = Math.min(Math.max(to, 0), frames.length - 1);
    if (at === frames.length - 1) stop();
    show();
  }

  // The first frame of a turn next to this one: a turn begins where its number changes.
  function turn(step) {
    const begins = (place) => place === 0 || frames[place].turn !== frames[place - 1].turn
      || frames[place].hand !== frames[place - 1].hand;
    let place = at + step;
    while (place > 0 && place < frames.length - 1 && !begins(place)) place += step;
    go(place);
  }

  function toTurn(number) {
    const hand = frames[at].hand;
    const place = frames.findIndex((frame) => frame.hand === hand && frame.turn >= number);
    if (place >= 0) go(place);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
  }

  function autoplay() {
    if (timer) stop();
    else {
      if (at === frames.length - 1) at = 0;
      timer = setInterval(() => go(at + 1), delay);
    }
    show();
  }

  const button = (text, title, act) => {
    const node = Table.titled(el("button", "", text), title);
    node.addEventListener("click", act);
    return node;
  };
  const choice = (entries, act) => {
    const node = el("select", "", entries.map(([value, text]) => Object.assign(el("option", "", text), { value })));
    node.addEventListener("change", () => act(node.value));
    return node;
  };

  const controls = {};
  function build() {
    const w = words();
    controls.play = button("", "Space", autoplay);
    controls.slider = Object.assign(el("input", "slider"), { type: "range", min: 0, max: frames.length - 1 });
    controls.slider.setAttribute("aria-label", w.turn);
    controls.slider.addEventListener("input", () => go(Number(controls.slider.value)));
    controls.turn = Object.assign(el("input", "number"), { type: "number", min: 1 });
    controls.turn.setAttribute("aria-label", w.turn);
    controls.turn.addEventListener("change", () => toTurn(Number(controls.turn.value)));
    controls.action = el("div", "action");
    controls.status = el("div", "status");
    const hands = data.hands.length < 2 ? null : choice(
      data.hands.map((hand, place) => [place, `${w.hand} ${hand.number}`]), (place) => go(data.hands[place].start));
    controls.hands = hands;
    const seats = Array.from({ length: players }, (_, seat) => [seat, `${w.player} ${seat}`]);
    controls.view = oneSeat === null ? choice([["all", w.all], ...seats], (value) => {
      view = value === "all" ? null : Number(value);
      show();
    }) : el("span", "label", `${w.view}: ${w.player} ${oneSeat}`);
    const speed = choice([[1400, "½×"], [700, "1×"], [300, "2×"], [100, "7×"]], (value) => {
      delay = Number(value);
      if (timer) { stop(); autoplay(); }
    });
    speed.value = String(delay);
    const languages = button(language === "en" ? "ES" : "EN", "L", otherLanguage);
    const single = frames.length === 1;
    document.documentElement.lang = language;
    bar.replaceChildren(
      el("div", "line", el("h1", "", data.game), el("span", "facts", data.deal === undefined ? null
        : `seed ${data.seed} · deal ${data.deal}`), hands, controls.view, languages),
      single ? "" : el("div", "line controls", button("|‹", "Home", () => go(0)), button("«", "↑", () => turn(-1)),
        button("‹", "←", () => go(at - 1)), controls.play, button("›", "→", () => go(at + 1)),
        button("»", "↓", () => turn(1)), button("›|", "End", () => go(frames.length - 1)), controls.slider,
        el("label", "label", `${w.turn} `, controls.turn), speed),
      el("div", "line now", controls.action, controls.status));
    bar.append(single ? "" : el("div", "keys", w.keys));
  }

  function otherLanguage() {
    language = language === "en" ? "es" : "en";
    build();
    show();
  }

  function show() {
    const frame = frames[at], w = words(), hand = data.hands[frame.hand];
    const before = at > 0 && frames[at - 1].hand === frame.hand ? frames[at - 1] : null;
    controls.play.textContent = timer ? `❚❚ ${w.pause}` : `▶ ${w.autoplay}`;
    controls.slider.value = at;
    if (document.activeElement !== controls.turn) controls.turn.value = frame.turn;
    if (controls.hands) controls.hands.value = String(frame.hand);
    if (oneSeat === null) controls.view.value = view === null ? "all" : String(view);
    const agent = frame.by !== null && data.agents[frame.by] ? ` (${data.agents[frame.by]})` : "";
    controls.action.replaceChildren(...(frame.action
      ? [el("span", `who team${frame.by % 2}`, `${w.player} ${frame.by}`), `${agent}: ${data.words[frame.action][language]}`]
      : [frames.length > 1 ? w.dealt : ""]));
    const result = frame.phase === "over" && hand.scores
      ? ` · ${hand.scores.join(" : ")} · ${w.reason[hand.reason] || hand.reason}` : "";
    controls.status.textContent = Table.status(frame, language) + result;
    Table.draw(root, frame, { language, agents: data.agents, hide: oneSeat === null ? view : oneSeat, previous: before, open });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (["INPUT", "SELECT"].includes(event.target.tagName) && event.target.type !== "range") return;
    const acts = {
      ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), ArrowUp: () => turn(-1), ArrowDown: () => turn(1),
      Home: () => go(0), End: () => go(frames.length - 1), " ": autoplay, l: otherLanguage,
      v: () => {
        if (oneSeat !== null) return;
        view = view === null ? 0 : view + 1 === players ? null : view + 1;
        show();
      },
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  build();
  show();
})();
