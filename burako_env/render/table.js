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

// The score sheet of a hand: an item a line, both teams side by side.
function scoreSheet(told) {
  "use strict";
  const box = document.createElement("details");
  box.className = "sheet";
  box.open = true;
  const title = document.createElement("summary");
  title.textContent = told.title;
  const table = document.createElement("table");
  table.setAttribute("aria-label", told.title);
  const head = table.createTHead().insertRow();
  for (const text of ["", ...told.head, ""]) head.insertCell().textContent = text;
  const body = table.createTBody();
  const line = (name, figures, rule, sum) => {
    const row = body.insertRow();
    if (sum) row.className = "sum";
    const what = document.createElement("th");
    what.textContent = name;
    row.append(what);
    for (const text of [...figures, rule]) row.insertCell().textContent = text;
  };
  for (const [name, rule, ...figures] of told.rows) line(name, figures, rule, false);
  for (const [name, ...figures] of told.totals) line(name, figures, "", true);
  box.append(title, table);
  return box;
}
