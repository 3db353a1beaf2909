"""Reads usage events to the end of the topic, counts each once, and says whether any is missing.

KAFKA_BROKERS=127.0.0.1:9092 STATE_FILE=usage-state.json python consume_usage.py
"""

import json
import os
import sys
from pathlib import Path

from kafka import KafkaConsumer, TopicPartition

TOPIC = "weir.usage.v1"


def empty_state():
    """Everything that has to be kept together: kept apart, a crash in between would count something twice, or not at all."""
    return {"offsets": {}, "writers": {}, "events": 0, "requests": 0, "repeated": 0, "lost": 0, "billed_p": "0"}


def add_sequence(ranges, sequence):
    """Adds to ranges that are in order, with a hole between each two. Returns False for a sequence that is there already."""
    place = next((at for at, (start, _) in enumerate(ranges) if start > sequence), len(ranges))
    if place > 0 and sequence <= ranges[place - 1][1]:
        return False
    ranges.insert(place, [sequence, sequence])
    join_with_next(ranges, place)
    join_with_next(ranges, place - 1)
    return True


def join_with_next(ranges, at):
    """Makes one range of two that have no hole between them."""
    if 0 <= at < len(ranges) - 1 and ranges[at][1] + 1 == ranges[at + 1][0]:
        ranges[at][1] = ranges[at + 1][1]
        del ranges[at + 1]


def count_record(state, writer, sequence, value):
    """Counts a record, unless its writer's sequence was seen before: records may come again at any time."""
    if not add_sequence(state["writers"].setdefault(writer, []), sequence):
        state["repeated"] += 1
        return
    event = json.loads(value)
    if event.get("lost"):
        state["lost"] += 1
        return
    state["events"] += 1
    state["requests"] += 1 if event["logical"] else 0
    state["billed_p"] = str(int(state["billed_p"]) + int(event["billed_p"]))


def describe_writer(ranges):
    """Every writer begins at 0 and leaves nothing out, so what is between two ranges, and before the first, is missing."""
    missing = []
    expected = 0
    for start, end in ranges:
        if start > expected:
            missing.append([expected, start - 1])
        expected = end + 1
    return {"complete_to": ranges[0][1] if ranges[0][0] == 0 else -1, "missing": missing}


def describe_state(state):
    writers = {writer: describe_writer(ranges) for writer, ranges in state["writers"].items()}
    digits = state["billed_p"].rjust(13, "0")
    return {
        **{name: state[name] for name in ("events", "requests", "repeated", "lost")},
        "billed_usd": f"{digits[:-12]}.{digits[-12:]}",
        "is_complete": all(not writer["missing"] for writer in writers.values()),
        "writers": writers,
    }


def save_state(state, path):
    """Whole or not at all."""
    new = path.with_suffix(".new")
    new.write_text(json.dumps(state))
    new.replace(path)


def read_to_end(state, path, brokers):
    # Offsets are in the state, beside what they led to, so there is no group.
    consumer = KafkaConsumer(bootstrap_servers=brokers, enable_auto_commit=False, group_id=None)
    partitions = [TopicPartition(TOPIC, number) for number in consumer.partitions_for_topic(TOPIC)]
    consumer.assign(partitions)
    starts, ends = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
    for partition in partitions:
        consumer.seek(partition, max(int(state["offsets"].get(str(partition.partition), 0)), starts[partition]))
    while any(consumer.position(partition) < ends[partition] for partition in partitions):
        for partition, records in consumer.poll(timeout_ms=1000).items():
            for record in records:
                headers = dict(record.headers)
                state["offsets"][str(partition.partition)] = str(record.offset + 1)
                count_record(state, record.key.decode(), int(headers["seq"]), record.value)
        save_state(state, path)
    consumer.close()


def main():
    path = Path(os.environ.get("STATE_FILE", "usage-state.json"))
    state = json.loads(path.read_text()) if path.exists() else empty_state()
    read_to_end(state, path, os.environ.get("KAFKA_BROKERS", "127.0.0.1:9092").split(","))
    found = describe_state(state)
    print(json.dumps(found))
    return 0 if found["is_complete"] else 1


sys.exit(main())
