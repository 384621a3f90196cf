// The children's levels on the page of burako play: places, cells, collections and the pool are spots that can be clicked.
(function () {
  "use strict";
  let options = null; // what the chosen tiles may do, each with the spots that it is about; null if that is not asked

  const named = (name) => document.querySelector(`[data-spot="${CSS.escape(name)}"]`);

  // Whoever has been refused, or asked which of several, hears it from the server.
  const bring = (page, spot) => page.act("lay", { cards: page.names(), place: spot });

  function choice(page, { id, text, spots }, first) {
    const show = (on) => () => spots.forEach((spot) => named(spot)?.classList.toggle("shown", on));
    const act = () => page.act("act", { action: id });
    const [shown, over] = [show(true), show(false)];
    const told = { onpointerenter: shown, onfocus: shown, onpointerleave: over, onblur: over, onclick: act };
    return page.make("button", { className: "lit", data: first ? { key: "l" } : {}, ...told }, text);
  }

  playTable(/*TEXTS*/, {
    parts: ["middle"],

    isFirst: ({ now }, one) => one.kind !== "END" || !now.layable.length,

    marks({ now }, card) {
      const can = now.yours && now.layable.includes(card.dataset.card);
      return [can, now.yours && !can];
    },

    enliven({ now, chosen, all, press }) {
      const lit = options?.length ? options.flatMap((one) => one.spots) : chosen.length ? [] : now.lit;
      for (const spot of all("[data-spot]")) {
        const can = now.yours && lit.includes(spot.dataset.spot);
        if (now.yours) press(spot);
        spot.tabIndex = can ? 0 : -1;
        spot.classList.toggle("lit", can);
      }
    },

    asks: ({ now }) => now.yours,

    placed(page, answer) {
      options = answer.options || null;
      const found = (options || []).map((one, place) => choice(page, one, !place));
      // Chosen tiles that can do nothing: a button that is answered with the reason.
      const why = { className: "quiet", data: { key: "l" }, onclick: () => bring(page, "lay") };
      if (options && !found.length) found.push(page.make("button", why, page.texts["do.lay"]));
      page.$("options").replaceChildren(...found);
    },

    hinted(page, { tiles = [], spots = [] }) {
      const held = [];
      for (const name of tiles) held.push(page.cards().find((one) => one.dataset.card === name && !held.includes(one)));
      return [...held, ...spots.map(named)];
    },

    click(page, target) {
      const spot = target.closest("[data-spot]");
      if (spot) bring(page, spot.dataset.spot);
    },

    // Where there is no rack the arrows move over the places.
    row: ({ cards, all }) => (cards().length ? cards() : all("[data-spot]").filter((spot) => spot.tabIndex === 0)),
  });
})();
