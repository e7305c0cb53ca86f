#!/usr/bin/env python3
"""Computes the answers to the forty questions from the records of the corpus, one JSON object a line, sharing no code with the product.

    python3 answers.py corpus.jsonl.gz > answers.json

Each function answers the question of its number; questions.json has the words.
"""

import gzip
import json
import re
import sys
import unicodedata
from collections import Counter, OrderedDict
from datetime import datetime, timedelta
from decimal import Decimal

PATIENT = "محمد الأحمد"
OWN = "klinik-nord.example"
SUMMER, WINTER = timedelta(hours=2), timedelta(hours=1)
CHANGE = datetime(2026, 10, 25, 1)


def read(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def texts(value):
    """Every text in a JSON value, names of members too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from texts(item)


def places(value, at=""):
    """Every text value in a JSON value, with its JSON Pointer, in which a star is any position of a list."""
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, list):
        for item in value:
            yield from places(item, at + "/*")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from places(item, f"{at}/{name}")


def all_texts(record):
    return [record["subject"], record["action"], record["type"], *texts(record["payload"])]


def folded(text):
    """As people compare names: without case and accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in plain if not unicodedata.combining(one)).replace("ß", "ss")


def mentions(record, name):
    return any(folded(name) in folded(text) for text in all_texts(record))


def phase(record):
    return record["payload"].get("phase")


def value(record, member):
    return (record["payload"].get(member) or {}).get("value")


def session(record):
    return (record["payload"].get("session") or {}).get("id")


def utc(record):
    return datetime.strptime(record["issued"], "%Y-%m-%dT%H:%M:%S.%fZ")


def berlin(record):
    at = utc(record)
    return at + (SUMMER if at < CHANGE else WINTER)


class Action:
    """What an agent did: all records of one call, or a record that belongs to none."""

    def __init__(self, records):
        self.records = records
        self.agent = records[0]["agent"]

    def first(self, read_one):
        return next((found for found in map(read_one, self.records) if found is not None), None)

    @property
    def tool(self):
        return self.first(lambda record: (record["payload"].get("tool") or {}).get("name"))

    @property
    def input(self):
        return self.first(lambda record: value(record, "input"))

    @property
    def output(self):
        return self.first(lambda record: value(record, "output"))

    @property
    def outcome(self):
        """ok, failed, refused, unknown, or None where nothing says it."""
        for record in self.records:
            payload = record["payload"]
            status = (payload.get("outcome") or {}).get("status")
            if phase(record) == "completed":
                return "ok"
            if phase(record) == "failed":
                return "unknown" if status == "unknown" else "failed"
            if phase(record) == "refused":
                return "refused"
            if phase(record) is None:
                if payload.get("exit_code", 0) != 0 or payload.get("http_status", 0) >= 400:
                    return "failed"
        return None

    def touches(self, kind):
        found = []
        for record in self.records:
            for one in record["payload"].get("touched", []):
                if one["kind"] == kind and one["id"] not in found:
                    found.append(one["id"])
        return found


def actions_of(records):
    found = OrderedDict()
    for number, record in enumerate(records):
        call = record["payload"].get("action_id")
        found.setdefault((record["agent"], call) if call else number, []).append(record)
    return [Action(group) for group in found.values()]


class Corpus:
    def __init__(self, records):
        self.records = records
        self.actions = actions_of(records)

    def payments(self):
        """Every payment that was carried out: invoice, payee, amount, currency, action."""
        for action in self.actions:
            if action.tool == "payments.pay" and action.outcome == "ok":
                yield action.input, action
            payload = action.records[0]["payload"]
            if action.records[0]["type"] == "payment.create":
                yield payload, action


def question_1(corpus):
    return dict(Counter(a.agent for a in corpus.actions if any("konto/4711" in all_texts(r) for r in a.records)))


def question_2(corpus):
    begin, end = datetime(2026, 10, 25, 14), datetime(2026, 10, 25, 14, 20)
    return dict(Counter(r["agent"] for r in corpus.records if begin <= berlin(r) < end))


def upload(corpus):
    return next(action for action in corpus.actions if action.tool == "upload")


def question_3(corpus):
    what = upload(corpus).records[0]
    before = [r for r in corpus.records if session(r) == session(what) and r["issued"] < what["issued"]]
    told = [r for r in before if phase(r) == "told"]
    given = [r for r in before if value(r, "output") is not None]
    order = next(text for r in given for text in texts(value(r, "output")) if "upload " in text)
    return {"told": len(told), "outputs": len(given), "sentence": order}


def failed(corpus):
    return [action for action in corpus.actions if action.outcome == "failed"]


def question_4(corpus):
    retried, last = 0, {}
    for action in corpus.actions:
        place = (action.agent, session(action.records[0]), action.tool)
        if place[1] is None or place[2] is None:
            continue
        if last.get(place) in ("failed", "refused"):
            retried += 1
        last[place] = action.outcome
    return {"failed": len(failed(corpus)), "retried": retried}


def question_5(corpus):
    found = []
    for what, action in corpus.payments():
        decisions = [r["payload"]["decision"]["outcome"] for r in action.records if phase(r) == "decided"]
        if Decimal(what["amount"]) > 500 and decisions[-1:] != ["approved"]:
            found.append(what["invoice"])
    return sorted(found)


def question_6(corpus):
    """By declaration or by what was sent: mail, uploads."""
    found = Counter()
    for action in corpus.actions:
        if action.tool == "mail.send" and action.outcome == "ok":
            found.update(to for to in action.input["to"] if not to.endswith("@" + OWN))
        if action.tool == "upload":
            found.update(action.touches("host"))
    return dict(found)


def question_7(corpus):
    def steps(name):
        return [a for a in corpus.actions if session(a.records[0]) == name and a.tool is not None]

    one, other = steps("count-1"), steps("count-2")
    tools = [step.tool for step in one]
    extra, kept = [], []
    for step in other:
        if tools and step.tool == tools[0]:
            kept.append(step)
            tools.pop(0)
        else:
            extra.append(step.tool)
    differing = {
        a.tool: [what for what in ("input", "output", "outcome") if getattr(a, what) != getattr(b, what)]
        for a, b in zip(one, kept)
    }
    return {"extra": extra, "different": {tool: what for tool, what in differing.items() if what}}


def question_8(corpus):
    path = "/srv/apotheke/bestand.csv"
    state, jumps, writes = None, 0, Counter()
    for action in corpus.actions:
        for one in action.records[-1]["payload"].get("touched", []):
            if one["id"] != path or one["access"] != "write" or action.outcome != "ok":
                continue
            jumps += state is not None and one["before"] != state
            state = one["after"]
            writes[action.agent] += 1
    return {"writes": dict(writes), "jumps": jumps}


def question_9(corpus):
    mail = next(a for a in corpus.actions if a.tool == "mail.read" and a.input["id"] == "M-2107")
    where, at = session(mail.records[0]), mail.records[0]["issued"]
    return [a.tool for a in corpus.actions if session(a.records[0]) == where and a.records[0]["issued"] > at and a.tool]


def question_10(corpus):
    days = {}
    for record in corpus.records:
        days.setdefault(record["agent"], set()).add(berlin(record).date())
    every = {day for one in days.values() for day in one}
    silent = datetime(2026, 10, 28).date()
    return [agent for agent, seen in days.items() if every - seen == {silent}]


def hosts(action):
    found = set(action.touches("host"))
    for record in action.records:
        payload = record["payload"]
        given = value(record, "input") if isinstance(value(record, "input"), dict) else {}
        for text in (payload.get("url"), payload.get("command"), given.get("url"), given.get("command")):
            found.update(re.findall(r"https?://([^/\s]+)", text or ""))
    return found


def question_11(corpus):
    seen, new = set(), []
    for action in corpus.actions:
        for host in sorted(hosts(action) - seen):
            seen.add(host)
            if berlin(action.records[0]) >= datetime(2026, 10, 19):
                new.append([host, action.agent])
    return sorted(new)


def question_12(corpus):
    """All records of the actions that mention it."""
    return sum(len(a.records) for a in corpus.actions if any(mentions(record, "RE-1031") for record in a.records))


def question_13(corpus):
    action = next(a for what, a in corpus.payments() if what["invoice"] == "RE-1010")
    return action.input["amount"]


def question_14(corpus):
    return len(corpus.records)


def question_15(corpus):
    """In how many records the name stands in each kind of place: a bundle can leave payloads out, and nothing else of a record."""
    payload, signed = Counter(), Counter()
    for record in corpus.records:
        signed.update(member for member in ("subject", "action", "type") if folded(PATIENT) in folded(record[member]))
        payload.update({at for at, text in places(record["payload"]) if folded(PATIENT) in folded(text)})
    return {"withheld": dict(sorted(payload.items())), "stays": dict(sorted(signed.items()))}


def question_16(corpus):
    return sum(session(record) == "post-injection" for record in corpus.records)


def question_17(corpus):
    return {"same": len(corpus.records), "different": 0}


def question_18(corpus):
    return {"agents": len({record["agent"] for record in corpus.records}), "records": len(corpus.records)}


def question_19(corpus):
    """Nothing in the records proves another time than the service's own."""
    return "the service's own clock"


def question_20(corpus):
    return sum(mentions(record, PATIENT) for record in corpus.records)


def sums(pairs):
    totals = {}
    for name, amount in pairs:
        totals[name] = totals.get(name, Decimal(0)) + Decimal(amount)
    return {name: str(total) for name, total in sorted(totals.items())}


def question_21(corpus):
    return sums((f"{what['payee']} {what['currency']}", what["amount"]) for what, _ in corpus.payments())


def question_22(corpus):
    ran = [r["payload"] for r in corpus.records if r["type"] == "shell.exec"]
    return sum(one["host"] == "apo-db-1" and one["command"].startswith("sudo ") for one in ran)


def question_23(corpus):
    """Weeks from Monday, in Berlin; euros alone."""

    def monday(action):
        day = berlin(action.records[-1]).date()
        return str(day - timedelta(days=day.weekday()))

    return sums((monday(action), what["amount"]) for what, action in corpus.payments() if what["currency"] == "EUR")


def question_24(corpus):
    for record in corpus.records:
        decision = record["payload"].get("decision")
        if decision and decision["outcome"] == "denied" and decision["by"]["kind"] == "human":
            return {"by": decision["by"]["id"], "reason": decision["justification"]}
    return None


def question_25(corpus):
    for record in corpus.records:
        payload = record["payload"]
        if payload.get("user") == "root" and re.search(r"\|\s*sh$", payload.get("command", "")):
            return {"host": payload["host"], "command": payload["command"]}
    return None


def question_26(corpus):
    def exit_code(record):
        payload = record["payload"]
        return payload.get("exit_code") or (payload.get("outcome") or {}).get("exit_code") or 0

    return sum(exit_code(record) != 0 for record in corpus.records)


def question_27(corpus):
    [(agent, count)] = Counter(action.agent for action in failed(corpus)).most_common(1)
    return {"agent": agent, "failed": count}


def question_28(corpus):
    return sum(mentions(record, "Mussigbrodt") for record in corpus.records)


def question_29(corpus):
    return upload(corpus).first(lambda record: record["payload"]["actor"].get("on_behalf_of"))


def question_30(corpus):
    def sub_agent(record):
        return (record["payload"].get("actor") or {}).get("sub_agent")

    return sorted({session(record) for record in corpus.records if sub_agent(record)})


def question_31(corpus):
    return sorted(session(a.records[0]) for a in corpus.actions if a.outcome == "unknown")


def question_32(corpus):
    sent = [a for a in corpus.actions if a.tool == "mail.send" and "audit@aufsicht-kontrolle.example" in a.input["to"]]
    return [action.input["subject"] for action in sent]


def question_33(corpus):
    def length(action):
        return action.first(lambda r: (r["payload"].get("timing") or {}).get("duration_ms") or r["payload"].get("duration_ms")) or 0

    longest = max(corpus.actions, key=length)
    return {"command": longest.input["command"], "minutes": length(longest) // 60_000}


def question_34(corpus):
    """In the three weeks, which all records of the corpus are of."""
    return dict(Counter(action.agent for action in corpus.actions))


def question_35(corpus):
    day = datetime(2026, 10, 21).date()
    found = Counter(action.agent for action in corpus.actions if berlin(action.records[0]).date() == day)
    return found.most_common(1)[0][0]


def question_36(corpus):
    refused = [a for a in corpus.actions if a.outcome == "refused"]
    reasons = {r["payload"]["outcome"]["error"]["message"] for a in refused for r in a.records if phase(r) == "refused"}
    return {"refused": len(refused), "reasons": sorted(reasons)}


def question_37(corpus):
    def by_hook(record):
        return any(one["source"] == "hook" for one in record["payload"].get("witnesses", []))

    return sorted({record["agent"] for record in corpus.records if by_hook(record)})


def question_38(corpus):
    return sum(mentions(record, "王小明") for record in corpus.records)


def question_39(corpus):
    name = "buchhaltung@" + OWN
    return sum(any(mentions(record, name) for record in action.records) for action in corpus.actions)


def question_40(corpus):
    both = [r for r in corpus.records if r["agent"] == "shell-ops" and berlin(r) == datetime(2026, 10, 25, 2, 30, 0, 2000)]
    return [record["payload"]["stdout"] for record in both]


def main():
    corpus = Corpus(read(sys.argv[1]))
    answers = {str(number): globals()[f"question_{number}"](corpus) for number in range(1, 41)}
    json.dump(answers, sys.stdout, ensure_ascii=False, indent=1)
    print()


if __name__ == "__main__":
    main()
