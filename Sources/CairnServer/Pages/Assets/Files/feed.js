// What happens, told to every page. One tab listens for all, since browsers allow six connections
// to a host. Where no page shows events it asks for purges alone: what is forgotten leaves all open
// pages.
import { isBusy, show } from "./app.js";

const channel = new BroadcastChannel("cairn-feed");
const main = () => document.querySelector("main");
const head = () => Number(main().dataset.head);
const say = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

// The newest event that this page shows or was told of.
let last = 0;
// The content that the page had when it was looked at.
let seen = null;
// The last purge since which the page was not asked anew.
let purged = 0;
// The kinds of events that this page shows as they come.
let wanted = null;

// Of the tab that listens: its feed, how far that is, which kinds it has, how it fares.
let source = null;
let position = 0;
let kinds = null;
let state = "away";
// What it began after, and the last purge since.
let began = Infinity;
let forgot = null;

function post(message) {
  channel.postMessage(message);
  receive(message);
}

function receive({ row, feed, asks, after, names, from, isBack }) {
  if (row) heard(row);
  if (feed) say("feed", feed);
  if (asks) channel.postMessage(shows() ? { after: last, names: wanted } : { from: head() });
  if (isBack) return again();
  if (from !== undefined && source) return remind(from);
  if (after === undefined || !source) return;
  // Each takes of what comes again what it has not.
  if (kinds && after >= position) return tell(state);
  kinds = names;
  open(after);
}
channel.onmessage = ({ data }) => receive(data);

// A page may be older than a purge of which it heard nothing, as it was still on its way.
function remind(from) {
  if (from < began) open(from);
  else if (forgot?.sequence > from) channel.postMessage({ row: forgot });
}

const shows = () => wanted && location.pathname === "/live";

// A page that shows events has those before its head, and wants what comes.
export function attend(names) {
  wanted = names;
  last = head();
  post({ after: last, names });
}

function heard(row) {
  if (row.sequence <= last) return;
  last = row.sequence;
  if (row.kind === "purge") purged = row.sequence;
  say("heard", row);
  refresh();
}

// What was purged leaves the page; the one that shows events takes them out itself.
function refresh() {
  // A page that shows nothing of the history has no head.
  if (isBusy() || !(head() < purged)) return;
  purged = 0;
  if (!shows()) show(location.href, { keep: true, anew: true });
}

// The history ends before what the page shows: it was set back.
async function again() {
  [last, purged] = [0, 0];
  if (await show(location.href, { keep: true })) say("feed", "back");
}

function tell(how) {
  state = how;
  post({ feed: how });
}

function open(after) {
  source?.close();
  position = after;
  began = Math.min(began, after);
  source = new EventSource(`/api/v1/feed?after=${after}${kinds ? "" : "&kind=purge"}`);
  const mine = source;
  for (const kind of kinds ?? ["purge"]) mine.addEventListener(kind, (event) => {
    position = Number(event.lastEventId);
    const row = JSON.parse(event.data);
    if (kind === "purge") forgot = row;
    post({ row });
  });
  mine.addEventListener("checkpoint", (event) => { position = Number(event.lastEventId); });
  mine.onopen = () => tell("open");
  // A browser tries again by itself, but not after a refusal.
  mine.onerror = () => (mine.readyState === EventSource.CLOSED ? end() : tell("away"));
}

let end = null;
async function listen() {
  kinds = shows() ? wanted : null;
  const ended = new Promise((resolve) => { end = resolve; });
  [began, forgot] = [Infinity, null];
  open(last);
  channel.postMessage({ asks: true });
  await ended;
  const status = await refusal();
  source = null;
  if (status === 404) {
    channel.postMessage({ isBack: true });
    await again();
  } else tell({ 401: "out", 503: "busy" }[status] ?? "away");
  return status;
}

// Why a feed ended: it does not tell itself.
async function refusal() {
  const stop = new AbortController();
  const answer = await fetch(`/api/v1/feed?after=${position}`, { signal: stop.signal }).catch(() => null);
  stop.abort();
  return answer?.status;
}

async function follow() {
  for (;;) {
    const status = await (navigator.locks?.request("cairn-feed", listen) ?? listen());
    // The lock is free meanwhile: another tab may be let in.
    await new Promise((done) => setTimeout(done, { 401: 30, 404: 1 }[status] * 1000 || 5000));
  }
}

function prepare() {
  if (main() !== seen) {
    seen = main();
    last = head();
    if (!shows()) post({ from: last });
  }
  refresh();
}

// Pages for those who are not let in show nothing of the history.
if (main()?.dataset.head) {
  document.addEventListener("page", prepare);
  prepare();
  follow();
}
