// Zooming by keys: + into the bar that has the focus, else the largest; - out of it; 0 for all.
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!document.querySelector(".chart, .zoom") || localStorage.getItem("keys") === "off") return;
  const links = [...document.querySelectorAll(".chart tbody th a")];
  const go = (name) => document.querySelector(`.zoom a[data-zoom="${name}"]`)?.click();
  const at = links.indexOf(document.activeElement);
  if (event.key === "+" || event.key === "=") (links[at] ?? largest())?.click();
  else if (event.key === "-") go("wider");
  else if (event.key === "0") go("all");
  else if (event.key === "ArrowLeft") go("earlier");
  else if (event.key === "ArrowRight") go("later");
  else if (event.key === "ArrowDown" && at >= 0) links[at + 1]?.focus();
  else if (event.key === "ArrowUp" && at > 0) links[at - 1].focus();
  else return;
  event.preventDefault();
});

function largest() {
  const rows = [...document.querySelectorAll(".chart tbody tr")];
  const count = (row) => Number(row.cells[1].textContent);
  return rows.sort((a, b) => count(b) - count(a))[0]?.querySelector("a");
}
