// The replay: every position is in the page, drawn in parts; this puts them on the table one after the other.
(function () {
  "use strict";
  const data = /*DATA*/;
  const texts = /*TEXTS*/;
  const $ = (id) => document.getElementById(id);
  const drawn = new Map();
  const last = data.frames.length - 1;
  let at = 0;
  let timer = null;

  // A part with its cards as SVG.
  function part(number) {
    if (number < 0) return "";
    if (!drawn.has(number))
      drawn.set(
        number,
        data.parts[number].replace(/~(\w+)~/g, '<svg class="c" viewBox="0 0 100 140" aria-hidden="true"><use href="#c-$1"/></svg>'),
      );
    return drawn.get(number);
  }

  function turnOf(place) {
    let found = 0;
    data.turns.forEach(([first], turn) => {
      if (first <= place) found = turn;
    });
    return found;
  }

  function show(place, flash) {
    at = Math.max(0, Math.min(last, place));
    const frame = data.frames[at];
    const [status, upper, middle, lower, hand, ...seats] = frame.v[Number($("view").value)];
    putPart($("status"), part(status), false);
    putPart($("seats"), seats.map(part).join(""), false);
    putPart($("upper"), part(upper), flash);
    putPart($("middle"), part(middle), false);
    putPart($("lower"), part(lower), flash);
    putPart($("hand"), part(hand), false);
    const deed = $("deed");
    deed.className = `deed team-${frame.s}`;
    const name = document.createElement("b");
    name.textContent = frame.n || "";
    deed.replaceChildren(name, `${frame.n ? ": " : ""}${frame.a}`);
    $("opinions").replaceChildren(...(frame.o || []).map(opinion), ...(frame.sheet ? [scoreSheet(frame.sheet)] : []));
    $("place").value = at;
    $("turn").value = turnOf(at);
    history.replaceState(null, "", `#${at}`);
    if (at === last) stop();
  }

  function opinion(one) {
    const box = document.createElement("section");
    box.className = one.same ? "opinion" : "opinion other";
    const text = document.createElement("p");
    text.textContent = one.t;
    box.append(text);
    if (!one.top.length) return box;
    const table = document.createElement("table");
    table.setAttribute("aria-label", one.d);
    for (const [move, value, share, played] of one.top) {
      const row = table.insertRow();
      if (played) row.className = "played";
      row.insertCell().textContent = move;
      row.insertCell().textContent = value;
      const bar = document.createElement("div");
      bar.className = "bar";
      bar.style.backgroundSize = `${Math.max(2, share)}% 100%`;
      row.insertCell().append(bar);
    }
    box.append(table);
    return box;
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    $("run").textContent = texts.run;
  }

  function run() {
    if (timer) return stop();
    if (at === last) show(0, false);
    timer = setInterval(() => show(at + 1, true), Number($("speed").value));
    $("run").textContent = texts.stop;
  }

  const turn = (step) => {
    const now = turnOf(at);
    // Back goes to the beginning of this turn first.
    const aim = step < 0 && data.turns[now][0] < at ? now : now + step;
    show(data.turns[Math.max(0, Math.min(data.turns.length - 1, aim))][0], true);
  };
  const deeds = {
    first: () => show(0, false),
    "back-turn": () => turn(-1),
    back: () => show(at - 1, false),
    run,
    forth: () => show(at + 1, true),
    "forth-turn": () => turn(1),
    last: () => show(last, false),
  };
  for (const [id, deed] of Object.entries(deeds)) $(id).addEventListener("click", deed);
  data.turns.forEach(([, text], number) => $("turn").add(new Option(text, number)));
  $("turn").addEventListener("change", () => show(data.turns[Number($("turn").value)][0], false));
  $("place").addEventListener("input", () => show(Number($("place").value), false));
  $("view").addEventListener("change", () => show(at, false));
  $("speed").addEventListener("change", () => timer && (stop(), run()));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
    const keys = { ArrowLeft: "back", ArrowRight: "forth", ArrowUp: "back-turn", ArrowDown: "forth-turn", " ": "run", Home: "first", End: "last" };
    if (!(event.key in keys) || (event.key === " " && event.target.closest("button"))) return;
    event.preventDefault();
    deeds[keys[event.key]]();
  });
  show(Number(location.hash.slice(1)) || 0, false);
})();
