// Put a part of the table on the page; groups that have changed light up for a moment if `flash` is set.
function putPart(place, html, flash) {
  "use strict";
  if (place.dataset.html === html) return;
  const before = new Map([...place.querySelectorAll("[data-group]")].map((group) => [group.dataset.group, group.innerHTML]));
  place.innerHTML = html;
  place.dataset.html = html;
  if (!flash) return;
  for (const group of place.querySelectorAll("[data-group]"))
    if (before.get(group.dataset.group) !== group.innerHTML) group.classList.add("fresh");
}
