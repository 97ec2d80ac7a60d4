"""Checks a receipt and a list of purges without any of Cairn's code, from Format.md alone.

usage: read_evidence.py RECEIPT LIST

Prints what `cairn check RECEIPT --json` says of the leaf and of the purge. Checks the way from the
leaf to the root, what the leaf commits to, the digest of the list, and by the list's leaf hashes that
of the purge; exits with 1 and a line on stderr at the first that is wrong. Signatures are not looked
at, which takes more than the standard library: Go does that. RFC 9162 §2.1.3.2 has the loop.
"""
import base64
import hashlib
import hmac
import json
import struct
import sys

from read_log import Damage, cbor, require, rfc3339, root_of


def node(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def leads(leaf, index, size, hashes, root):
    if index >= size:
        return False
    last = size - 1
    for beside in hashes:
        if last == 0:
            return False
        if index & 1 or index == last:
            leaf = node(beside, leaf)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            leaf = node(leaf, beside)
        index, last = index >> 1, last >> 1
    return last == 0 and leaf == root


def receipt(text):
    lines, note = text.split("\n\n", 1)
    form, extra, index, *hashes = lines.split("\n")
    require(form == "c2sp.org/tlog-proof@v1" and extra.startswith("extra ") and index.startswith("index "),
            "no proof file with extra data")
    extra, index = base64.b64decode(extra[6:], validate=True), int(index[6:])
    size, root = note.split("\n")[1:3]
    header, salt, message = extra[:48], extra[48:80], extra[80:]
    require(leads(hashlib.sha256(b"\0" + header).digest(), index, int(size),
                  [base64.b64decode(line, validate=True) for line in hashes], base64.b64decode(root)),
            "the hashes do not lead to the root")
    require(header[0] == 2 and struct.unpack(">Q", header[8:16])[0] == index + 1, "the header is another event's")
    require(hmac.new(salt, message, "sha256").digest() == header[16:], "the header commits to something else")
    kind, flags = message[0], message[1]
    require(kind == 7, "it records no purge")
    purge = dict(cbor(message[44 if flags & 2 else 32:], 0)[0][16]["purge"])
    ends = [0] + [n for pair in purge["sequences"] for n in pair] + [index + 1]
    apart = all(a < b for a, b in zip(ends[::2], ends[1::2]))
    count = sum(b - a + 1 for a, b in purge["sequences"])
    require(apart and all(a <= b for a, b in purge["sequences"]) and count == purge["events"],
            "no purge can have taken these events")
    purge["recorded"] = rfc3339(*struct.unpack(">qI", message[20:32]))
    return {"leafIndex": index, "treeSize": int(size), "rootHash": root,
            "leaf": base64.b64encode(header).decode(), "purge": purge}


def purges(text):
    first, *rest = [json.loads(line) for line in text.splitlines()]
    require(first["cairn-purges"] == 1 and first["entries"] == len(rest), "no list of purges, or not all of it")
    leaves = {line["sequence"]: base64.b64decode(line["hash"], validate=True) for line in rest}
    message = struct.pack(">BQ", 0, first["size"])
    for sequence, leaf in leaves.items():
        message += struct.pack(">Q", sequence) + leaf
    require(hashlib.sha256(message).digest() == base64.b64decode(first["digest"]), "the list was changed")
    return leaves


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: read_evidence.py RECEIPT LIST")
    try:
        shown = receipt(open(sys.argv[1], encoding="utf-8").read())
        known = purges(open(sys.argv[2], encoding="utf-8").read())
        of = shown["purge"]
        gone = [n for first, last in of["sequences"] for n in range(first, last + 1)]
        require(len(gone) == of["events"] and all(n in known for n in gone), "the list lacks what the purge took")
        require(root_of([known[n] for n in gone]) == base64.b64decode(of["digest"]), "the purge took other events")
    except Damage as damage:
        sys.exit(f"read_evidence.py: {damage}")
    print(json.dumps(shown))
