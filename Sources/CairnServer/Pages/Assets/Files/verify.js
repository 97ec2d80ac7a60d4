// Proof in the browser itself: the leaf is hashed here, the path walked up to the checkpoint here,
// and the signature checked here (RFC 6962 hashing, C2SP signed notes, Ed25519 of Web Crypto).

const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const equal = (a, b) => a.length === b.length && a.every((byte, place) => byte === b[place]);

async function sha256(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all));
}
const leafHash = (leaf) => sha256(Uint8Array.of(0), leaf);
const nodeHash = (left, right) => sha256(Uint8Array.of(1), left, right);

// The root that a leaf and its path give (RFC 9162 §2.1.3.2), each step told.
export async function walk(leaf, index, size, path, tell) {
  let [place, last, hash] = [BigInt(index), BigInt(size) - 1n, leaf];
  for (const step of path) {
    if (last === 0n) throw new Error("the path is too long");
    if (place & 1n || place === last) {
      hash = await nodeHash(step, hash);
      tell?.("left", hash);
      while (!(place & 1n) && place !== 0n) { place >>= 1n; last >>= 1n; }
    } else {
      hash = await nodeHash(hash, step);
      tell?.("right", hash);
    }
    place >>= 1n;
    last >>= 1n;
  }
  if (last !== 0n) throw new Error("the path is too short");
  return hash;
}

async function signed(note, verifier) {
  const [name, id, key] = split(verifier.trim());
  const material = bytes(key);
  const end = note.indexOf("\n\n");
  const body = note.slice(0, end + 1);
  const line = note.slice(end + 2).split("\n").find((text) => text.startsWith(`\u2014 ${name} `));
  if (!line) return false;
  const signature = bytes(line.split(" ")[2]);
  if (hex(signature.slice(0, 4)) !== id) return false;
  const imported = await crypto.subtle.importKey("raw", material.slice(1), { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify({ name: "Ed25519" }, imported, signature.slice(4), new TextEncoder().encode(body));
}

// name+id+key; a name may hold no plus sign, a key in base64 may.
function split(verifier) {
  const first = verifier.indexOf("+");
  const second = verifier.indexOf("+", first + 1);
  return [verifier.slice(0, first), verifier.slice(first + 1, second), verifier.slice(second + 1)];
}

async function text(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  return answer.text();
}

async function prove(sequence, tell) {
  const note = await text("/api/v1/checkpoint");
  const [, size, root] = note.split("\n");
  tell(`The log's checkpoint: ${size} events, root ${hex(bytes(root)).slice(0, 16)}\u2026`, true);
  if (BigInt(sequence) > BigInt(size)) throw new Error("nothing was signed since this event");
  const proof = JSON.parse(await text(`/api/v1/proofs/inclusion?sequence=${sequence}&size=${size}`));
  tell(`The proof is of event ${sequence}, in that checkpoint`, proof.leafIndex === sequence - 1
    && String(proof.treeSize) === size && equal(bytes(proof.rootHash), bytes(root)));
  const leaf = await leafHash(bytes(proof.leaf));
  tell(`Event ${sequence} hashed here: ${hex(leaf).slice(0, 16)}\u2026`, equal(leaf, bytes(proof.leafHash)));
  let steps = 0;
  const found = await walk(leaf, proof.leafIndex, size, proof.hashes.map(bytes), (side, hash) => {
    steps += 1;
    tell(`Step ${steps}, a neighbour to the ${side}: ${hex(hash).slice(0, 16)}\u2026`, true);
  });
  tell(`The root that this gives: ${hex(found).slice(0, 16)}\u2026`, equal(found, bytes(root)));
  const key = await text("/api/v1/checkpoint/key");
  let isSigned;
  try { isSigned = await signed(note, key); } catch (error) {
    if (error.name !== "NotSupportedError") throw error;
    return tell("This browser cannot check Ed25519 signatures; the steps above hold without.", true);
  }
  tell(isSigned ? "The signature of the checkpoint is the log's own" : "The signature is NOT the log's", isSigned);
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a.verify");
  if (!link || !globalThis.crypto?.subtle) return;
  event.preventDefault();
  link.closest("li").querySelector(".proof")?.remove();
  const box = document.createElement("section");
  box.className = "proof";
  box.setAttribute("aria-label", `Proof of event ${link.dataset.sequence}`);
  box.setAttribute("role", "status");
  const list = document.createElement("ol");
  box.append(list);
  link.closest("li").append(box);
  let good = true;
  const tell = (words, holds) => {
    good &&= holds;
    const line = document.createElement("li");
    line.textContent = `${holds ? "\u2713" : "\u2717"} ${words}`;
    if (!holds) line.className = "wrong";
    list.append(line);
  };
  let failed = "NOT proved: something was changed.";
  try { await prove(link.dataset.sequence, tell); } catch (error) {
    if (good) failed = "Not proved: it could not be checked.";
    tell(`No proof: ${error.message}`, false);
  }
  box.classList.add(good ? "good" : "bad");
  const verdict = document.createElement("p");
  verdict.className = good ? "" : "wrong";
  verdict.textContent = good ? "Proved: this event is in the log as it was recorded." : failed;
  box.append(verdict);
}, true);
