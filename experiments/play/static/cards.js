// The card game on the page of burako play: stock and pile, groups, the order of the hand.
(function () {
  "use strict";
  const ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK"];
  let places = [];

  const laying = ({ now }) => now.yours && now.phase === "lay";

  function rank(card) {
    const name = card.dataset.card;
    return name === "JK" ? 99 : { A: 14, 2: 98 }[name.slice(0, -1)] || ranks.indexOf(name.slice(0, -1));
  }

  function bring(page, place, theirs) {
    const { now, chosen } = page;
    if (!now || !now.yours) return;
    if (!chosen.length && now.phase === "lay") return page.say(page.texts["your.lay"]);
    if (!chosen.length) return page.act("act", { kind: "DRAW_STOCK" });
    page.act("lay", { cards: page.names(), place, theirs: Boolean(theirs) });
  }

  function zone(page, name) {
    if (!page.now || !page.now.yours) return;
    if (name === "pile" && page.chosen.length) return bring(page, "discard");
    page.act("act", { kind: name === "stock" ? "DRAW_STOCK" : "DRAW_PILE" });
  }

  playTable(/*TEXTS*/, {
    parts: ["theirs", "middle", "ours"],

    sort(page) {
      const hand = document.querySelector("#hand .hand");
      if (hand && page.$("sort").value === "rank") page.cards().sort((a, b) => rank(a) - rank(b)).forEach((card) => hand.append(card));
    },

    isFirst({ now }, one) {
      return now.phase !== "lay" || one.kind === "TAKE_BURAKO" || one.kind === "KEEP_HAND";
    },

    marks(page, card) {
      const name = card.dataset.card;
      const can = laying(page) && page.now.layable.includes(name);
      return [can, laying(page) && !can && !page.now.discardable.includes(name)];
    },

    enliven(page) {
      const { now, chosen, $ } = page;
      document.querySelectorAll("[data-group], [data-zone]").forEach((place) => now.yours && page.button(place));
      const kinds = now.actions.map((one) => one.kind);
      document.querySelectorAll("[data-zone]").forEach((zone) => {
        const draw = zone.dataset.zone === "stock" ? "DRAW_STOCK" : "DRAW_PILE";
        zone.classList.toggle("lit", kinds.includes(draw) || (zone.dataset.zone === "pile" && places.includes("discard")));
      });
      document.querySelectorAll("#ours [data-group]").forEach((group) =>
        group.classList.toggle("lit", places.includes(Number(group.dataset.group))),
      );
      for (const place of ["new", "discard"]) {
        $(place).disabled = !laying(page) || !chosen.length;
        $(place).classList.toggle("lit", places.includes(place));
      }
    },

    asks: (page) => page.chosen.length > 0 && laying(page),

    placed(page, answer) {
      places = answer.places || [];
    },

    hinted(page, answer) {
      const card = answer.card && page.cards().find((one) => one.dataset.card === answer.card);
      if (card) card.classList.add("hinted");
      const zones = { DRAW_STOCK: "stock", DRAW_PILE: "pile", DISCARD: "pile" };
      const place =
        answer.group !== null ? document.querySelector(`#ours [data-group="${answer.group}"]`) : document.querySelector(`[data-zone="${zones[answer.kind]}"]`);
      if (place) place.classList.add("hinted");
    },

    click(page, target) {
      const group = target.closest("[data-group]");
      if (group) return bring(page, Number(group.dataset.group), !group.closest("#ours"));
      const place = target.closest("[data-zone]");
      if (place) zone(page, place.dataset.zone);
    },

    key(page, key) {
      if (key === "d") zone(page, "stock");
      else if (key === "p") page.act("act", { kind: "DRAW_PILE" });
      else return false;
      return true;
    },

    setup(page) {
      const paint = (on) => document.documentElement.classList.toggle("four", on);
      page.keep("colours", "checked", paint);
      paint(page.$("colours").checked);
      page.keep("sort", "value", () => page.now && (page.putHand(page.now.html.hand), page.enliven()));
      page.$("new").addEventListener("click", () => bring(page, "new"));
      page.$("discard").addEventListener("click", () => bring(page, "discard"));
    },
  });
})();
