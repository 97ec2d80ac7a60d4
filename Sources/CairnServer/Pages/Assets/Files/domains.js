// A tree: what is inside a domain opens below it, fetched when it is first wanted. Without this the
// link leads to a page of its own.
const elementsMax = 1800;
const depth = (row) => Number(row.dataset.depth ?? 0);

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("table.domains a.inside");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  if (link.getAttribute("aria-expanded") === "true") shut(link); else open(link);
}, true);

async function open(link) {
  const row = link.closest("tr");
  const answer = await fetch(link.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) { location.href = link.href; return; }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const rows = [...page.querySelectorAll("table.domains tbody tr")];
  const grown = document.querySelectorAll("*").length + page.querySelectorAll("table.domains tbody *").length;
  // What does not fit opens as a page, and so does what the page has not all of, which says so.
  if (grown > elementsMax || rows.length < parseInt(link.textContent, 10)) { location.href = link.href; return; }
  if (link.getAttribute("aria-expanded") === "true") return;
  const parent = row.querySelector("th bdi");
  // One that was opened itself shows its last part alone.
  const prefix = (parent.title || parent.textContent).length;
  for (const child of rows) {
    child.dataset.depth = depth(row) + 1;
    child.classList.add(`depth-${Math.min(depth(row) + 1, 6)}`);
    const name = child.querySelector("th bdi");
    name.title = name.textContent;
    name.textContent = name.textContent.slice(prefix);
  }
  row.after(...rows.map((child) => document.adoptNode(child)));
  link.setAttribute("aria-expanded", "true");
  prepare();
}

function shut(link) {
  const row = link.closest("tr");
  while (row.nextElementSibling && depth(row.nextElementSibling) > depth(row)) row.nextElementSibling.remove();
  link.setAttribute("aria-expanded", "false");
}

// Arrow keys as in any tree: right opens, left shuts.
document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
  const link = event.target.closest?.("table.domains tr")?.querySelector("a.inside");
  if (!link || event.ctrlKey || event.metaKey || event.altKey) return;
  const isOpen = link.getAttribute("aria-expanded") === "true";
  if (isOpen === (event.key === "ArrowRight")) return;
  event.preventDefault();
  if (isOpen) shut(link); else open(link);
});

function prepare() {
  for (const link of document.querySelectorAll("table.domains a.inside:not([aria-expanded])")) link.setAttribute("aria-expanded", "false");
}
document.addEventListener("page", prepare);
prepare();
