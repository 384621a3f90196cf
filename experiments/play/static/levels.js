// The children's levels on the page of burako play: places, cells, collections and the pool are spots that can be clicked.
(function () {
  "use strict";
  let options = []; // what the chosen tiles may do, each with the spots that it is about

  let answered = false;

  const spots = () => [...document.querySelectorAll("[data-spot]")];
  const named = (name) => document.querySelector(`[data-spot="${CSS.escape(name)}"]`);

  // Whoever has been refused, or asked which of several, hears it from the server.
  const bring = (page, spot) => page.act("lay", { cards: page.names(), place: spot });

  // Chosen tiles that can do nothing: a button that is answered with the reason.
  function nothing(page) {
    const why = document.createElement("button");
    why.type = "button";
    why.className = "quiet";
    why.dataset.key = "l";
    why.textContent = page.texts["do.lay"];
    why.addEventListener("click", () => bring(page, "lay"));
    return why;
  }

  function put(page) {
    if (answered && !options.length) return page.$("options").replaceChildren(nothing(page));
    page.$("options").replaceChildren(
      ...options.map((one, place) => {
        const found = document.createElement("button");
        found.type = "button";
        found.className = "lit";
        found.textContent = one.text;
        if (!place) found.dataset.key = "l";
        found.addEventListener("click", () => page.act("act", { action: one.id }));
        for (const [event, on] of [["pointerenter", true], ["focus", true], ["pointerleave", false], ["blur", false]])
          found.addEventListener(event, () => one.spots.forEach((spot) => named(spot) && named(spot).classList.toggle("shown", on)));
        return found;
      }),
    );
  }

  playTable(/*TEXTS*/, {
    parts: ["middle"],

    isFirst: ({ now }, one) => one.kind !== "END" || !now.layable.length,

    marks({ now }, card) {
      const can = now.yours && now.layable.includes(card.dataset.card);
      return [can, now.yours && !can];
    },

    enliven(page) {
      const lit = new Set(options.length ? options.flatMap((one) => one.spots) : page.chosen.length ? [] : page.now.lit);
      for (const spot of spots()) {
        if (page.now.yours) page.button(spot);
        spot.tabIndex = page.now.yours && lit.has(spot.dataset.spot) ? 0 : -1;
        spot.classList.toggle("lit", page.now.yours && lit.has(spot.dataset.spot));
      }
    },

    asks: (page) => page.chosen.length > 0 && page.now.yours,

    placed(page, answer) {
      options = answer.options || [];
      answered = Boolean(answer.options);
      put(page);
    },

    hinted(page, answer) {
      const left = page.cards();
      for (const name of answer.tiles) {
        const place = left.findIndex((one) => one.dataset.card === name);
        if (place >= 0) left.splice(place, 1)[0].classList.add("hinted");
      }
      for (const spot of answer.spots) if (named(spot)) named(spot).classList.add("hinted");
    },

    click(page, target) {
      const spot = target.closest("[data-spot]");
      if (spot && page.now && page.now.yours) bring(page, spot.dataset.spot);
    },

    // Where there is no rack the arrows move over the places.
    row: (page) => (page.cards().length ? page.cards() : spots().filter((spot) => spot.tabIndex === 0)),
  });
})();
