"""Writes Golden/heartbeats.json: random runs of heartbeats, and the events aw-core makes of them.

    pip install aw-core==0.5.18; python3 heartbeats.py SEED RUNS >../Golden/heartbeats.json
"""

import copy, json, logging, random, sys
from datetime import datetime, timedelta, timezone

logging.disable(logging.CRITICAL)
from aw_core.models import Event
from aw_transform.heartbeats import heartbeat_merge

rng = random.Random(int(sys.argv[1]))
BASE = datetime(1969, 12, 31, 23, 59, 58, tzinfo=timezone.utc)
runs = []
for _ in range(int(sys.argv[2])):
    pulsetime = rng.choice([0, 0.5, 1, 5, 6.0005, 1e9])
    at, beats, events = BASE, [], []
    for _ in range(40):
        at += timedelta(milliseconds=rng.choice([0, 1, 400, 999, 1000, 5000, 6000, -300, -5000]), microseconds=rng.choice([0, 0, 1, 999]))
        beat = {"timestamp": at.isoformat(), "duration": rng.choice([0, 0, 0.0005, 1, 2.5, 1e-7, -1]),
                "data": rng.choice([{"app": "a"}, {"app": "a"}, {"app": "b"}, {"n": 1, "m": [1, 2]}, {"m": [1.0, 2], "n": 1.0}])}
        beats.append(beat)
        event = Event(**copy.deepcopy(beat))
        merged = heartbeat_merge(events[-1], event, pulsetime) if events else None
        if merged is None:
            events.append(event)
        else:
            events[-1] = merged
    runs.append({"pulsetime": pulsetime, "heartbeats": beats, "events": [e.to_json_dict() for e in events]})
json.dump(runs, sys.stdout, separators=(",", ":"))
