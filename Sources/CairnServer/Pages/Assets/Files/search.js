// Search as one types: results below, completions in a list (the combobox pattern of WAI-ARIA).
import { address, show } from "./app.js";

let active = -1;
let asked = 0;

const field = () => document.querySelector("#q");
const list = () => document.querySelector("#suggestions");
const options = () => [...(list()?.children ?? [])];

function prepare() {
  const input = field();
  if (!input || input.role === "combobox") return;
  for (const [name, value] of Object.entries({
    role: "combobox", "aria-controls": "suggestions", "aria-expanded": "false", "aria-autocomplete": "list",
  })) input.setAttribute(name, value);
}

function close() {
  active = -1;
  if (!list()) return;
  list().hidden = true;
  field().setAttribute("aria-expanded", "false");
  field().removeAttribute("aria-activedescendant");
}

function mark(index) {
  const all = options();
  active = all.length ? (index + all.length) % all.length : -1;
  all.forEach((option, place) => option.setAttribute("aria-selected", String(place === active)));
  if (active >= 0) field().setAttribute("aria-activedescendant", all[active].id);
}

async function complete(text) {
  const mine = ++asked;
  const values = new URLSearchParams({ q: text, limit: "6" });
  const point = new URLSearchParams(location.search).get("asOf");
  if (point) values.set("asOf", point);
  const answer = await fetch(`/api/v1/suggest?${values}`).catch(() => null);
  if (!answer?.ok || mine !== asked || document.activeElement !== field()) return;
  const { rows } = await answer.json();
  if (mine !== asked) return;
  list().replaceChildren(...rows.filter((row) => row.text !== text).map((row, place) => {
    const option = document.createElement("li");
    option.id = `suggestion-${place}`;
    option.role = "option";
    option.setAttribute("aria-selected", "false");
    const words = document.createElement("bdi");
    words.textContent = row.text;
    option.append(words);
    return option;
  }));
  const isOpen = options().length > 0;
  list().hidden = !isOpen;
  field().setAttribute("aria-expanded", String(isOpen));
  active = -1;
}

function take(option) {
  field().value = option.textContent;
  close();
  asked += 1;
  results();
}

// All that tells what is shown, but for the field that somebody types in.
const parts = ["#results", "#time", ".snapshots", "main > .banner", "footer"];
const results = () => show(address(field().form), { run: "typing", only: parts });

document.addEventListener("input", (event) => {
  if (event.target.id !== "q") return;
  prepare();
  results();
  if (event.target.value.trim()) complete(event.target.value); else close();
});

document.addEventListener("keydown", (event) => {
  if (event.target.id === "q") {
    const isOpen = list() && !list().hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (isOpen) mark(active + (event.key === "ArrowDown" ? 1 : -1));
      else if (event.key === "ArrowDown") document.querySelector("#results h3 a")?.focus();
    } else if (event.key === "Escape" && isOpen) { event.preventDefault(); close(); }
    else if (event.key === "Enter" && isOpen && active >= 0) { event.preventDefault(); take(options()[active]); }
    else if (event.key === "Enter") close();
    return;
  }
  const link = event.target.closest?.("#results h3 a");
  if (!link || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
  event.preventDefault();
  const links = [...document.querySelectorAll("#results h3 a")];
  const next = links.indexOf(link) + (event.key === "ArrowDown" ? 1 : -1);
  if (next < 0) field()?.focus(); else links[next]?.focus();
});

document.addEventListener("mousedown", (event) => {
  const option = event.target.closest?.("#suggestions li");
  if (option) { event.preventDefault(); take(option); }
});
document.addEventListener("focusout", (event) => { if (event.target.id === "q") close(); });
document.addEventListener("page", prepare);
prepare();
