"""Reads the log of a Cairn store without any of Cairn's code, from Format.md alone.

usage: read_log.py STORE

Prints every event as `cairn log --erased --json` does, then one line on the whole: what
`cairn verify --json` says of it. Checks every checksum, commitment, leaf, node and the root on the
way; exits with 1 and a line on stderr at the first one that is wrong. Standard library only.
"""
import base64
import datetime
import hashlib
import hmac
import json
import mmap
import struct
import sys
import uuid

KINDS = dict(enumerate(
    ["index", "update", "delete", "view", "select", "impression", "purge", "extend", "schema"], 1))
FIELDS = {1: "item", 2: "domain", 3: "time", 4: "attributes", 5: "expires", 6: "actor",
          7: "source", 8: "session", 9: "query", 10: "position", 11: "shown", 12: "dwell",
          13: "latency", 14: "deliberate", 15: "all", 16: None}


class Damage(Exception):
    pass


def require(holds, what):
    if not holds:
        raise Damage(what)


# -- LMDB 0.9, 64-bit little-endian -------------------------------------------------------------

CRC_TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    CRC_TABLE.append(byte)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


class File:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        metas = [self.meta(0)]
        self.page_size = metas[0][1]
        metas.append(self.meta(self.page_size))
        self.main = max(metas)[2]

    def meta(self, at):
        flags, = struct.unpack_from("<H", self.bytes, at + 10)
        magic, version = struct.unpack_from("<II", self.bytes, at + 16)
        require(flags & 8 and magic == 0xBEEFC0DE and version == 1, "this is no LMDB 0.9 file")
        page_size, = struct.unpack_from("<I", self.bytes, at + 40)
        transaction, = struct.unpack_from("<Q", self.bytes, at + 144)
        return transaction, page_size, struct.unpack_from("<Q", self.bytes, at + 88 + 40)[0]

    def nodes(self, root):
        """(key, flags, value) of every row of the tree whose root is this page, in order."""
        if root == 0xFFFFFFFFFFFFFFFF:
            return
        page = root * self.page_size
        number, _, flags, lower, _ = struct.unpack_from("<QHHHH", self.bytes, page)
        require(number == root and flags in (1, 2), f"page {root} has a damaged header")
        for slot in range(page + 16, page + lower, 2):
            node = page + struct.unpack_from("<H", self.bytes, slot)[0]
            low, high, extra, key_size = struct.unpack_from("<HHHH", self.bytes, node)
            start = node + 8 + key_size
            if flags == 1:
                yield from self.nodes(low | high << 16 | extra << 32)
                continue
            size = low | high << 16
            if extra & 1:  # the value stands on pages of its own
                start = struct.unpack_from("<Q", self.bytes, start)[0] * self.page_size + 16
            yield self.bytes[node + 8:node + 8 + key_size], extra, self.bytes[start:start + size]

    def rows(self, name=None):
        """(key, value) of a named table, or of the main one; checksums are checked and cut off."""
        root = self.main
        if name is not None:
            for key, flags, value in self.nodes(self.main):
                if key == name.encode() and flags & 2:
                    root = struct.unpack_from("<Q", value, 40)[0]
                    break
            else:
                raise Damage(f"there is no table {name}")
        for key, flags, value in self.nodes(root):
            if flags & 2:
                continue
            sum, = struct.unpack("<I", value[-4:])
            require(crc32c(key + value[:-4]) == sum, f"a checksum of table {name or 'main'} is wrong")
            yield key, value[:-4]


# -- payloads: CBOR, RFC 8949 §4.2.1 ------------------------------------------------------------

def cbor(data, at):
    major, info = data[at] >> 5, data[at] & 31
    at += 1
    if major == 7:
        if info in (20, 21, 22):
            return {20: False, 21: True, 22: None}[info], at
        form, size = {25: (">e", 2), 26: (">f", 4), 27: (">d", 8)}[info]
        return struct.unpack_from(form, data, at)[0], at + size
    size = {24: 1, 25: 2, 26: 4, 27: 8}.get(info, 0)
    number = int.from_bytes(data[at:at + size], "big") if size else info
    at += size
    if major == 0:
        return number, at
    if major == 1:
        return -1 - number, at
    if major in (2, 3):
        text = data[at:at + number]
        return (text.decode() if major == 3 else {"base64": base64.b64encode(text).decode()}), at + number
    if major == 6:  # 262: JSON text, of a number that fits no other form
        text, at = cbor(data, at)
        return json.loads(base64.b64decode(text["base64"])), at
    items = []
    for _ in range(number * (2 if major == 5 else 1)):
        item, at = cbor(data, at)
        items.append(item)
    return (items if major == 4 else dict(zip(items[::2], items[1::2]))), at


def rfc3339(seconds, nanoseconds):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    if nanoseconds:
        digits = f"{nanoseconds:09}"
        while digits.endswith("000"):
            digits = digits[:-3]
        text += "." + digits
    return text + "Z"


def time(data, at):
    return struct.unpack_from(">qI", data, at)


# -- the log ------------------------------------------------------------------------------------

def sha256(*pieces):
    return hashlib.sha256(b"".join(pieces)).digest()


def root_of(leaves):
    """RFC 6962 §2.1."""
    if not leaves:
        return sha256()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01", root_of(leaves[:split]), root_of(leaves[split:]))


def event(sequence, row, rest):
    """One event as printed, its leaf hash, and its id where a row of table ids leads to it."""
    state, version = row[0], row[1]
    require(version in (1, 2), f"event {sequence} has a header of version {version}")
    header = row[1:1 + (88 if version == 1 else 48)]
    at = 1 + len(header)
    require(struct.unpack_from(">Q", header, 8)[0] == sequence, f"event {sequence} has another's header")
    leaf = sha256(b"\x00", header)
    line = {"sequence": sequence}
    if state & 1:
        line.update(erased=True, purge=struct.unpack_from(">Q", row, at)[0])
        return line, leaf, None
    salt, at = row[at:at + 32], at + 32
    if version == 2:
        require(header[1:8] == b"\x01" + bytes(6) and state & ~4 == 0, f"event {sequence}: unknown flags")
        commitment = header[16:48]
        if state & 4:
            size, = struct.unpack_from(">I", row, at)
            at += 4
        message = row[at:] + rest
        kind, flags, schema = struct.unpack_from(">BBH", row, at)
        identity, recorded = row[at + 4:at + 20], time(row, at + 20)
        when = time(row, at + 32) if flags & 2 else recorded
        payload = message[44 if flags & 2 else 32:]
        is_generated = flags & 1
    else:
        commitment = header[40:72]
        kind, is_generated, schema, identity = header[2], header[3], int.from_bytes(header[4:6], "big"), header[24:40]
        times = row[at:at + (24 if state & 2 else 12)]
        recorded, when = time(times, 0), time(times, len(times) - 12)
        at += len(times)
        if state & 4:
            size, = struct.unpack_from(">I", row, at)
            at += 4
        payload = row[at:] + rest
        message = payload + times
    require(not state & 4 or len(payload) == size, f"event {sequence} is cut short")
    require(hmac.new(salt, message, "sha256").digest() == commitment,
            f"event {sequence}: the content is not what the header commits to")
    line["kind"] = KINDS[kind]
    line.update(time=rfc3339(*when), recorded=rfc3339(*recorded), id=str(uuid.UUID(bytes=identity)), schema=schema)
    for number, value in cbor(payload, 0)[0].items():
        if number == 16:
            line.update(value)
        elif number in (3, 5) and value is not None:
            line[FIELDS[number]] = rfc3339(*value)
        else:
            line[FIELDS[number]] = value
    return line, leaf, None if is_generated else identity


def read(path):
    file = File(path)
    meta = dict(file.rows("meta"))
    require(1 <= int.from_bytes(meta[b"format"], "big") <= 4, "the log has a newer format")
    groups = {}
    for key, value in file.rows("events"):
        sequence, part = struct.unpack(">QH", key)
        parts = groups.setdefault(sequence, [])
        require(part == len(parts), f"event {sequence} lacks a part")
        parts.append(value)
    require(list(groups) == list(range(1, len(groups) + 1)), "an event is missing")
    leaves, ids, erased = [], {}, 0
    for sequence, parts in groups.items():
        line, leaf, identity = event(sequence, parts[0], b"".join(parts[1:]))
        line["hash"] = base64.b64encode(leaf).decode()
        leaves.append(leaf)
        erased += "erased" in line
        if identity:
            ids[identity] = struct.pack(">Q", sequence)
        print(json.dumps(line, ensure_ascii=False))
    require(dict(file.rows("ids")) == ids, "the ids are not those of the live events")
    for key, node in file.rows("tree"):
        level, index = struct.unpack(">BQ", key)
        require(root_of(leaves[index << level:index + 1 << level]) == node, f"node {level}/{index} is wrong")
    head = dict(file.rows())[b"head"]
    root, size = head[12:44], struct.unpack_from(">Q", head, 44)[0]
    require(size == len(leaves) and root == root_of(leaves), "the events do not hash to the head's root")
    peaks = [head[at:at + 32] for at in range(52, len(head), 32)]
    start = 0
    for level in reversed(range(64)):
        if size >> level & 1:
            require(root_of(leaves[start:start + (1 << level)]) == peaks.pop(0), "a peak is wrong")
            start += 1 << level
    print(json.dumps({"ok": True, "treeSize": size, "events": size - erased,
                      "rootHash": base64.b64encode(root).decode()}))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: read_log.py STORE")
    try:
        read(sys.argv[1] + "/log.mdb")
    except Damage as damage:
        sys.exit(f"read_log.py: {damage}")
