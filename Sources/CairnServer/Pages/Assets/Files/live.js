// Events as they come, put above those that the page has.
import { attend } from "./feed.js";

// A row has eleven elements, and a page two thousand at most.
const kept = 150;
let paused = false;
let held = [];
let drawn = [];
// Whether of what was heard some is neither drawn nor waits for it.
let isCut = false;
// Events of which it is not known yet whether they are in the domain that is asked for.
let unsure = [];
let sifting = false;
let frame = 0;
// Which page it is: what was asked about for another one is not put on this.
let turn = 0;

const part = (name) => document.querySelector(name);

// What the address asks for.
const wanted = (name) => new URLSearchParams(location.search).get(name) ?? "";

function take(row) {
  // The past stays as it was.
  if (part("#feed")?.hidden ?? true) return;
  const kind = wanted("kind");
  if (kind && row.kind !== kind) return;
  if (!wanted("domain")) return add(row);
  unsure.push(row);
  sift();
}

// The server says which are of the domain: a view names none, and is in that of its item.
async function sift() {
  if (sifting) return;
  sifting = true;
  while (unsure.length) {
    const rows = unsure.splice(0, 1000);
    const mine = turn;
    const query = new URLSearchParams({ domain: wanted("domain"), from: rows[0].sequence, to: rows.at(-1).sequence, limit: 1000 });
    if (wanted("kind")) query.set("kind", wanted("kind"));
    try {
      const answer = await fetch(`/api/v1/events?${query}`);
      if (answer.status >= 500 || answer.status === 401) throw new Error(answer.status);
      const found = new Set(answer.ok ? (await answer.json()).rows.map((row) => row.sequence) : []);
      // What came before another page was made is on that page.
      if (mine === turn) for (const row of rows) if (found.has(row.sequence)) add(row);
    } catch {
      if (mine === turn) unsure.unshift(...rows);
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
  sifting = false;
}

function add(row) {
  if (paused) {
    held.push(row);
    if (held.length > 100000) held.shift();
    return tell(`paused, ${held.length} wait`);
  }
  drawn.push(row);
  // In a tab that is not seen nothing is drawn.
  if (drawn.length > 2 * kept) {
    drawn.splice(0, drawn.length - kept);
    isCut = true;
  }
  // As many as come are drawn once a frame, so that thousands a second freeze nothing.
  frame ||= requestAnimationFrame(draw);
}

function draw() {
  frame = 0;
  const body = part("#events tbody");
  if (!body) return;
  const rows = drawn.slice(-kept).reverse().map(line);
  isCut ||= drawn.length + body.rows.length > kept;
  drawn = [];
  body.prepend(...rows);
  while (body.rows.length > kept) body.deleteRow(-1);
  if (isCut && body.rows.length) {
    lead(Number([...body.rows].at(-1).dataset.sequence));
    isCut = false;
  }
  tell(`event ${body.rows[0]?.dataset.sequence ?? ""}`);
}

// What has no room, as after a long pause, is a link away.
function lead(oldest) {
  const link = part("#earlier");
  const target = new URL(link.href);
  target.searchParams.set("asOf", oldest - 1);
  link.href = target;
  link.hidden = false;
}

function line(row) {
  const made = document.createElement("tr");
  made.dataset.sequence = row.sequence;
  const cell = (node) => { made.insertCell().append(node); };
  const number = document.createElement("a");
  number.href = `/api/v1/events/${row.sequence}`;
  number.className = "event figure";
  number.textContent = `#${row.sequence}`;
  cell(number);
  cell(when(row.time ?? row.recorded));
  cell(row.kind);
  const name = document.createElement("bdi");
  name.textContent = nameOf(row);
  if (row.item) {
    const link = document.createElement("a");
    link.href = `/item?${new URLSearchParams({ id: row.item })}`;
    link.append(name);
    cell(link);
  } else cell(name);
  return made;
}

// Times are written as on other pages: how long ago, and the minute here with its offset.
const relative = new Intl.RelativeTimeFormat("en");
const units = [["year", 31556952], ["month", 2629746], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];
function distance(seconds) {
  const size = Math.abs(seconds);
  if (size < 45) return "just now";
  const [unit, length] = units.find(([, length]) => size >= length) ?? units.at(-1);
  return relative.format(-Math.sign(seconds) * Math.max(1, Math.trunc(size / length)), unit);
}

function when(time) {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const offset = -at.getTimezoneOffset();
  const local = (minutes) => new Date(minutes * 60000).toISOString();
  const zone = offset ? `${offset < 0 ? "-" : "+"}${local(Math.abs(offset)).slice(11, 16)}` : "Z";
  const made = document.createElement("time");
  made.dateTime = time;
  made.className = "when";
  for (const [name, text] of [
    ["distance", distance((Date.now() - at) / 1000)],
    ["exact", local(at / 60000 + offset).slice(0, 16).replace("T", " ") + zone],
  ]) {
    const part = document.createElement("span");
    part.className = name;
    part.textContent = text;
    made.append(part, " ");
  }
  return made;
}

// Items are called as on other pages: by a title in which something is seen, long names cut.
function nameOf({ attributes, item, domain }) {
  const title = attributes?.title;
  const isSeen = typeof title === "string" && /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(title);
  return isSeen ? cut(title, 140, 139, 0) : cut(item ?? domain ?? "", 72, 40, 24);
}

function cut(text, most, first, last) {
  const letters = [...text];
  if (letters.length <= most) return text;
  return `${letters.slice(0, first).join("")}\u2026${letters.slice(letters.length - last).join("")}`;
}

// What is forgotten leaves the page too.
function forget(ranges) {
  const stays = (sequence) => !ranges.some(([first, last]) => first <= sequence && sequence <= last);
  for (const row of [...document.querySelectorAll("#events tr[data-sequence]")]) if (!stays(Number(row.dataset.sequence))) row.remove();
  held = held.filter((row) => stays(row.sequence));
  drawn = drawn.filter((row) => stays(row.sequence));
  unsure = unsure.filter((row) => stays(row.sequence));
}

function tell(words, ...more) {
  const state = part("#state");
  if (!state || state.textContent === words) return;
  delete state.dataset.feed;
  state.replaceChildren(words, ...more);
}

document.addEventListener("heard", ({ detail: row }) => {
  if (row.kind === "purge") forget(row.purge.sequences);
  take(row);
});

const words = {
  open: "listening",
  away: "the server is away; trying again",
  busy: "the server has no room for this page; trying again",
  back: "the history was set back: what came after this is gone",
  out: "you are logged out: ",
};

document.addEventListener("feed", ({ detail }) => {
  const told = part("#state")?.dataset.feed;
  // That events are gone is said until others come.
  if (!part("#state") || told === detail || (detail === "open" && told === "back")) return;
  const link = document.createElement("a");
  link.href = `/login?${new URLSearchParams({ next: location.pathname + location.search })}`;
  link.textContent = "log in again";
  tell(words[detail], ...(detail === "out" ? [link] : []));
  part("#state").dataset.feed = detail;
});

function prepare() {
  const form = part("#feed");
  if (!form || !form.hidden) return;
  form.hidden = Boolean(part("main > .banner"));
  if (form.hidden) return;
  // A page begins anew, with all that there was, and is not paused.
  turn += 1;
  [paused, isCut] = [false, false];
  [held, drawn, unsure] = [[], [], []];
  part("#pause").addEventListener("click", (event) => {
    paused = !paused;
    event.target.setAttribute("aria-pressed", String(paused));
    event.target.textContent = paused ? "Go on" : "Pause";
    if (!paused) { drawn.push(...held); held = []; draw(); }
  });
  attend([...document.querySelectorAll("#only option")].map((kind) => kind.value).filter(Boolean));
}

document.addEventListener("page", prepare);
prepare();
