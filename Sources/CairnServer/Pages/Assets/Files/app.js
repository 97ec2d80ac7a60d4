// What every page has: a way through time and pages without loading them whole, and the keyboard.
// Without this file links and forms do the same, only slower.

const stored = (name, otherwise) => {
  try { return localStorage.getItem(name) ?? otherwise; } catch { return otherwise; }
};

const theme = stored("theme", "");
if (theme) document.documentElement.dataset.theme = theme;

// Put the page at an address in place of this one. Answers overtaken by a newer wish are dropped.
let wish = 0;
let running = null;
const place = () => location.pathname + location.search;
let shown = place();
export const isBusy = () => running !== null;
// Load a page as the browser does. An address of the page itself with a fragment would only jump
// there.
function load(address) {
  running = null;
  const { pathname, search, href } = new URL(address, location.href);
  if (pathname + search === place()) location.reload(); else location.href = href;
}

// A page stands in the browser's history by itself; those of a run, as while somebody types, are
// one.
// One that is asked for anew keeps what somebody has typed and opened in it.
export async function show(address, { keep = false, run = null, focus = null, only = null, anew = false } = {}) {
  const mine = ++wish;
  running?.abort();
  running = new AbortController();
  let text, arrived;
  try {
    const answer = await fetch(address, { signal: running.signal, headers: { Accept: "text/html" } });
    text = await answer.text();
    arrived = answer.url;
    // What a form was sent to has no page of its own.
    if (anew && answer.status === 400 && mine === wish) { running = null; return false; }
  } catch (error) {
    if (error.name === "AbortError" || mine !== wish) return false;
    load(address);
    return false;
  }
  if (mine !== wish) return false;
  const page = new DOMParser().parseFromString(text, "text/html");
  const parts = only ?? ["header.top", "#time", "#marks", ".snapshots", "main", "footer"];
  // Something else than the page that was asked for, such as a way to log in: shown as it is.
  if (!page.querySelector(only?.[0] ?? "header.top")) { load(address); return false; }
  const typed = anew ? filled() : [];
  const opened = anew ? [...document.querySelectorAll("main details")].map((node) => node.open) : [];
  const held = whereabouts(document.activeElement ?? document.body);
  const left = { ...history.state, top: scrollY, focus: held?.selector };
  for (const part of parts) swap(part, page);
  document.title = page.title;
  record(arrived, keep, run, left);
  shown = place();
  for (const { selector, value, checked } of typed) fill(find(selector), value, checked);
  [...document.querySelectorAll("main details")].forEach((node, index) => { node.open = opened[index] ?? node.open; });
  settle(focus, held);
  running = null;
  await loadModules(page);
  document.dispatchEvent(new CustomEvent("page"));
  return true;
}

function record(arrived, keep, run, left) {
  if (keep) return history.replaceState(history.state, "", arrived);
  const stays = arrived === location.href || (run && history.state?.run === run);
  if (!stays) history.replaceState(left, "");
  history[stays ? "replaceState" : "pushState"]({ run }, "", arrived);
}

// What somebody has changed in the forms of the page.
function filled() {
  return [...document.querySelectorAll("main :is(input:not([type=hidden]), select, textarea)")]
    .filter((node) => node.form && (node.value !== node.defaultValue || node.checked !== node.defaultChecked))
    .map((node) => ({ ...whereabouts(node), value: node.value, checked: node.checked }));
}

function fill(node, value, checked) {
  if (!node) return;
  if (["checkbox", "radio"].includes(node.type)) node.checked = checked; else node.value = value;
}

// A form may have a field that is called id, which its property would be.
const idOf = (form) => form.getAttribute("id");
const find = (selector) => { try { return document.querySelector(selector); } catch { return null; } };

// What has the focus, in terms that find it in the page that comes, and where the caret is.
function whereabouts(node) {
  const escaped = (name, value) => `[${name}="${CSS.escape(value)}"]`;
  const { form, name, selectionStart: start, selectionEnd: end } = node;
  const id = idOf(node);
  const link = node.getAttribute("href");
  const choice = ["checkbox", "radio"].includes(node.type) ? escaped("value", node.value) : "";
  const within = form && (idOf(form) ? `#${idOf(form)}` : `main form${escaped("action", form.getAttribute("action"))}`);
  let selector = null;
  if (id) selector = `#${CSS.escape(id)}`;
  else if (within) selector = `${within} ${name ? `${escaped("name", name)}:not([type=hidden])${choice}` : "button"}`;
  else if (link) selector = `a${escaped("href", link)}`;
  return node === document.body ? null : { selector, start, end };
}

// The focus goes where it is wanted, else stays with what had it; where that is gone, to the
// content.
function settle(focus, held) {
  const isLost = held && document.activeElement === document.body;
  if (!focus && !isLost) return;
  const node = (focus && find(focus)) ?? (held?.selector && find(held.selector)) ?? find("#main");
  node?.focus({ preventScroll: true });
  if (node && Number.isInteger(node.selectionStart) && Number.isInteger(held?.start)) node.setSelectionRange(held.start, held.end);
}

function swap(part, page) {
  const [old, fresh] = [document.querySelector(part), page.querySelector(part)];
  if (old && fresh) {
    // The slider that somebody drags stays the one they drag.
    if (part === "#time" && old.contains(document.activeElement)) return refreshTime(old, fresh);
    old.replaceWith(document.adoptNode(fresh));
  } else if (old) old.remove();
  else if (fresh) document.querySelector("main").before(document.adoptNode(fresh));
}

function refreshTime(old, fresh) {
  old.querySelector("output").textContent = fresh.querySelector("output").textContent;
  const range = old.querySelector("#asof");
  range.max = fresh.querySelector("#asof").max;
  // Unless it is the one that is moved, each shows the point of the page.
  for (const name of ["#asof", "#day"]) {
    const node = old.querySelector(name);
    if (node !== document.activeElement) node.value = fresh.querySelector(name).value;
  }
  range.setAttribute("aria-valuetext", fresh.querySelector("#asof").getAttribute("aria-valuetext"));
  for (const hidden of old.querySelectorAll("input[type=hidden]")) hidden.remove();
  old.prepend(...[...fresh.querySelectorAll("input[type=hidden]")].map((node) => document.adoptNode(node)));
}

// Modules of a page that came without being loaded.
const known = new Set([...document.querySelectorAll("script[src]")].map((script) => script.src));
async function loadModules(page) {
  for (const script of page.querySelectorAll("script[src]")) {
    const source = new URL(script.getAttribute("src"), location.origin).href;
    if (known.has(source)) continue;
    known.add(source);
    await import(source);
  }
}

addEventListener("popstate", () => {
  if (place() !== shown) {
    const { top, focus } = history.state ?? {};
    return show(location.href, { keep: true, focus }).then((done) => done && top !== undefined && scrollTo(0, top));
  }
  // A jump within the page, as to its content, keeps page and focus; so does a wish taken back.
  wish += 1;
  running?.abort();
  running = null;
});

const ours = (link) => link && link.origin === location.origin && !link.pathname.startsWith("/api/")
  && !link.hash && !link.target && link.pathname !== "/login";

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.dataset.choice) choose(link);
  if (!ours(link)) return;
  event.preventDefault();
  show(link.href, { focus: "#main" }).then((done) => done && scrollTo(0, 0));
});

// Following a result is a choice; only in the present, and only where the person likes that.
function choose(link) {
  if (document.querySelector("main > .banner") || stored("choices", "on") === "off") return;
  const body = JSON.stringify({
    kind: "select", item: link.dataset.choice, query: link.dataset.query,
    position: Number(link.dataset.position),
  });
  fetch("/api/v1/events", {
    method: "POST", body, keepalive: true, headers: { "Content-Type": "application/json" },
  }).catch(() => {});
}

// Forms that ask become addresses; those that change something are sent as they are.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "get") return;
  event.preventDefault();
  show(address(form));
});

export function address(form) {
  const values = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    // What a form would change on its way is encoded once more, as the mark tells.
    if (name.endsWith("*")) values.append(name.slice(0, -1), decodeURIComponent(value));
    else if (value !== "") values.append(name, value);
  }
  if (idOf(form) === "time") travel(values);
  const text = values.toString();
  return form.getAttribute("action") + (text ? `?${text}` : "");
}

// The way through time takes along what is typed, though its results may not be there yet.
function travel(values) {
  if (values.get("day")) values.delete("asOf");
  const typed = document.querySelector("#q")?.value;
  if (typed === undefined || typed === (values.get("q") ?? "")) return;
  values.delete("offset");
  if (typed) values.set("q", typed); else values.delete("q");
}

// The slider: by event as it moves, by day as one is chosen.
let waiting = 0;
document.addEventListener("input", (event) => {
  const { target } = event;
  if (target.id !== "asof") return;
  const form = target.form;
  form.querySelector("output").textContent = target.value === target.max ? "now" : `${target.value} of ${target.max}`;
  form.querySelector("#day").value = "";
  clearTimeout(waiting);
  waiting = setTimeout(() => show(address(form), { run: "time" }), 40);
});
document.addEventListener("change", (event) => {
  if (event.target.id === "day" && event.target.value) show(address(event.target.form));
});

export function step(by) {
  const range = document.querySelector("#asof");
  if (!range) return;
  const value = Math.min(Number(range.max), Math.max(0, Number(range.value) + by));
  if (value === Number(range.value)) return;
  range.value = value;
  document.querySelector("#day").value = "";
  show(address(range.form), { run: "time" });
}

// Keys. Those of one letter can be turned off.
let leader = 0;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.key === "k") { event.preventDefault(); return toSearch(); }
  const typing = event.target.closest?.("input:not([type=range]), select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || stored("keys", "on") === "off") return;
  if (Date.now() - leader < 1500) {
    leader = 0;
    const link = document.querySelector(`header nav a[data-key="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); }
    return;
  }
  const acts = {
    "/": toSearch, "?": () => document.querySelector('header nav a[data-key="h"]')?.click(),
    "[": () => step(-1), "]": () => step(1), g: () => { leader = Date.now(); },
  };
  if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
});

function toSearch() {
  const field = document.querySelector("#q");
  if (field) { field.focus(); field.select(); } else show("/", { focus: "#q" });
}
