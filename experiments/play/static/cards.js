// The card game on the page of burako play: stock and pile, groups, the order of the hand.
(function () {
  "use strict";
  const order = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "JK"];
  const draws = { stock: "DRAW_STOCK", pile: "DRAW_PILE" };
  let places = [];

  const laying = ({ now }) => now.yours && now.phase === "lay";
  const zoneOf = (name) => document.querySelector(`[data-zone="${name}"]`);

  function rank({ dataset: { card } }) {
    return order.indexOf(card === "JK" ? card : card.slice(0, -1));
  }

  function bring(page, place, theirs = false) {
    const { now, chosen } = page;
    if (!now?.yours) return;
    if (chosen.length) page.act("lay", { cards: page.names(), place, theirs });
    else if (now.phase === "lay") page.say(page.texts["your.lay"]);
    else page.act("act", { kind: draws.stock });
  }

  function zone(page, name) {
    if (name === "pile" && page.chosen.length) bring(page, "discard");
    else if (page.now?.yours) page.act("act", { kind: draws[name] });
  }

  playTable(/*TEXTS*/, {
    parts: ["theirs", "middle", "ours"],

    sort(page) {
      const hand = document.querySelector("#hand .hand");
      if (hand && page.$("sort").value === "rank") hand.append(...page.cards().sort((a, b) => rank(a) - rank(b)));
    },

    isFirst: ({ now }, one) => now.phase !== "lay" || ["TAKE_BURAKO", "KEEP_HAND"].includes(one.kind),

    marks(page, { dataset: { card } }) {
      const can = laying(page) && page.now.layable.includes(card);
      return [can, laying(page) && !can && !page.now.discardable.includes(card)];
    },

    enliven(page) {
      const { now, chosen, $, all } = page;
      if (now.yours) all("[data-group], [data-zone]").forEach((place) => page.press(place));
      for (const [name, kind] of Object.entries(draws)) {
        const can = now.actions.some((one) => one.kind === kind) || (name === "pile" && places.includes("discard"));
        zoneOf(name).classList.toggle("lit", can);
      }
      for (const group of all("#ours [data-group]")) group.classList.toggle("lit", places.includes(Number(group.dataset.group)));
      for (const place of ["new", "discard"]) {
        $(place).disabled = !laying(page) || !chosen.length;
        $(place).classList.toggle("lit", places.includes(place));
      }
    },

    asks: laying,

    placed(page, answer) {
      places = answer.places || [];
    },

    hinted(page, { card, group, kind }) {
      const zones = { DRAW_STOCK: "stock", DRAW_PILE: "pile", DISCARD: "pile" };
      const there = document.querySelector(`#ours [data-group="${group}"]`);
      return [card && page.cards().find((one) => one.dataset.card === card), group === null ? zoneOf(zones[kind]) : there];
    },

    click(page, target) {
      const group = target.closest("[data-group]");
      const place = target.closest("[data-zone]");
      if (group) bring(page, Number(group.dataset.group), !group.closest("#ours"));
      else if (place) zone(page, place.dataset.zone);
    },

    key(page, key) {
      if (key === "d") zone(page, "stock");
      else if (key === "p") page.act("act", { kind: draws.pile });
      return key === "d" || key === "p";
    },

    setup(page) {
      const paint = (on) => document.documentElement.classList.toggle("four", on);
      page.keep("colours", "checked", paint);
      paint(page.$("colours").checked);
      page.keep("sort", "value", () => page.now && (page.putHand(page.now.html.hand), page.enliven()));
      for (const place of ["new", "discard"]) page.$(place).addEventListener("click", () => bring(page, place));
    },
  });
})();
