"""A second implementation of Docs/Protocol.md: tokens and the stack (sections 1 to 6 and 8), as any reader computes them.

Each rule is as plain as on the page, and none is fast. Names such as A3 are those of the page's rules.
"""

import collections
import re

PRIORITIES = ["media", "alarm", "ringtone", "communication", "emergency"]
STATES = ["standing", "waiting", "advised", "released-notify", "released-silent"]
FLAGS = ["mixes", "prompts", "spoken", "captures", "notifies", "silenceable", "change"]
WORDS = ["state", "priority", "group", "mixes", "ducks", *FLAGS[1:6], "place", "background", "change"]
OF_PROCESS, OF_ALL, SURPLUS_OF_PROCESS, SURPLUS = 1024, 4096, 1024, 16384  # L1, L2
MARKS_OF_PROCESS, MARKS = 256, 4096  # L4
LAPSE, MEMORY = 5000, 1000  # milliseconds
NAME = re.compile(r"audio-session\.([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\.([0-9]{1,10})", re.ASCII)


def number(text, bits):
    if not re.fullmatch("[0-9]+", text) or int(text) >= 1 << bits:
        raise ValueError
    return int(text)


def group_name(text):
    if not re.fullmatch(r"([A-Za-z0-9._-]|%[0-9a-fA-F]{2})+", text):
        raise ValueError
    data = re.sub("%(..)", lambda match: chr(int(match[1], 16)), text).encode("latin-1")
    if len(data) > 64:
        raise ValueError
    return data.decode("utf-8")


def value_of(word, text):
    if word == "state" and text in STATES or word == "priority" and text in PRIORITIES:
        return text
    if word == "group":
        return group_name(text)
    if word == "ducks" and number(text, 16) <= 1000:
        return int(text)
    if word == "place" and text.count(":") == 2:
        return tuple(number(part, bits) for part, bits in zip(text.split(":"), (32, 32, 64)))
    if word == "background":
        return text if text == "yes" else number(text, 64)
    raise ValueError


def parse(payload):
    """The fields of a payload (P1 to P6). Raises ValueError if it is malformed."""
    version = payload.encode("utf-8", "surrogatepass")[:513].split(b";")[0]
    if not re.fullmatch(b"[1-9][0-9]*", version):
        raise ValueError
    if version != b"1":
        return {"state": "standing", "priority": "media", "mixes": True}
    if not re.fullmatch("[!-~]{1,512}", payload):
        raise ValueError
    fields = {}
    for field in payload.split(";")[1:]:
        word, sign, text = field.partition("=")
        if word in fields:
            raise ValueError
        if word in FLAGS and not sign:
            fields[word] = True
        else:
            fields[word] = value_of(word, text)
    if "state" not in fields or "priority" not in fields:
        raise ValueError
    if "ducks" in fields or "prompts" in fields:
        fields["mixes"] = True
    return fields


def read(properties):
    """The uuid, number and fields of a token; None for another object (O1)."""
    if "audio-session.token" in properties:
        name, payload = properties.get("session.name", ""), properties["audio-session.token"]
    elif properties.get("device.api") == "audio-session":
        name, payload = properties.get("device.name", ""), properties.get("device.description", "")
    else:
        return None
    match = NAME.fullmatch(name)
    if not match:
        raise ValueError
    return match[1].lower(), number(match[2], 32), parse(payload)


def read_mark(properties):
    """The word and value of a mark; None for another object (M1 to M5)."""
    name, payload = properties.get("session.name"), properties.get("audio-session.mark")
    if payload is None and properties.get("device.api") == "audio-session-ducking":
        name, payload = properties.get("device.name"), properties.get("device.description")
    if name is None or payload is None:
        return None
    word, _, value = payload.removeprefix("1;").partition("=")
    if word == "ducks" and re.fullmatch("[0-9]+", value) and int(value) <= 1000:
        mark = word, str(int(value))
    elif word == "mutes" and re.fullmatch("0|[1-9][0-9]*", value) and int(value) < 1 << 64:
        mark = word, value
    elif word == "hosts" and re.fullmatch("[1-9][0-9]*", value) and int(value) < 1 << 31:
        mark = word, value
    elif word == "card" and (parts := re.fullmatch("(input|output|profile|headset);([0-9]+);([^;]*;.*)", value, re.DOTALL)):
        if int(parts[2]) >= 1 << 32 or len(payload.encode()) > 512:
            return None
        mark = word, f"{parts[1]};{int(parts[2])};{parts[3]}"
    else:
        return None
    return mark if payload.startswith("1;") else None


def write(fields):
    """The payload, with the fields in the order of the grammar (P2)."""
    parts = ["1"]
    for word in WORDS:
        value = fields.get(word)
        if value is True:
            parts.append(word)
        elif word == "group" and value:
            plain = re.sub(rb"[^A-Za-z0-9._-]", lambda match: b"%%%02x" % match[0][0], value.encode())
            parts.append("group=" + plain.decode())
        elif value is not None:
            parts.append(f"{word}={':'.join(map(str, value)) if word == 'place' else value}")
    return ";".join(parts)


def is_sandboxed(client):  # P8
    access = client.get("pipewire.access", "default")
    is_in_context = client.get("pipewire.sec.socket", "").startswith("pipewire-fd-")
    return is_in_context or access not in ("unrestricted", "allowed", "default")


def counts(word, value, client):  # M1, M4
    return not is_sandboxed(client) and (word != "hosts" or client.get("pipewire.sec.pid") == value)


def process_of(number, client):  # O3
    pid = client.get("pipewire.sec.pid", "")
    return int(pid) if re.fullmatch("[0-9]+", pid) and int(pid) > 0 else f"client {number}"


class Kind:
    """What the rules between two sessions read."""

    def __init__(self, fields, process):
        self.rank = PRIORITIES.index(fields["priority"])
        self.mixes, self.ducks = fields.get("mixes", False), fields.get("ducks")
        self.prompts, self.spoken, self.captures = (fields.get(word, False) for word in ("prompts", "spoken", "captures"))
        name = fields.get("group")
        self.group = ("process", process) if name is None else ("named", name)

    def interrupts(self, older):  # E1, Q6
        if self.group == older.group or older.rank > self.rank:
            return False
        if self.prompts and older.spoken:
            return True
        return not self.mixes and (not older.mixes or (self.rank >= 3 and older.rank < self.rank))

    def forbids(self, newcomer):  # A3, Q6
        if self.group == newcomer.group or newcomer.rank >= self.rank:
            return False
        return not (self.mixes or newcomer.mixes) or (self.captures and newcomer.captures)

    def is_player(self):
        return self.rank == 0 and not self.mixes

    def gain_of(self, other):  # E5, Q6
        ducks = self.ducks is not None and other.ducks is None and other.rank <= self.rank and self.group != other.group
        return self.ducks if ducks else 1000


class Token:
    def __init__(self, object_number, serial, client, process, uuid, fields):
        self.object, self.serial, self.client, self.uuid, self.fields = object_number, serial, client, uuid, fields
        self.key, self.kind = (process, uuid), Kind(fields, process)
        self.state, self.place = fields["state"], fields.get("place")
        self.is_request = self.state == "standing" and self.place is None  # A1
        self.is_release = self.state.startswith("released")
        self.refusal, self.is_conditional, self.is_outdated, self.was_blocked = None, False, False, self.state == "waiting"
        self.is_blocked, self.arrival, self.counts = False, 0, False

    def place_of(self, cookie):  # Q2, Q3
        if self.place and self.place[0] != cookie:
            return self.place[0], self.place[2]
        return None, min(self.place[2] if self.place else self.serial, self.serial)

    def is_put_back(self):  # E3
        return self.state == "standing" and self.place is not None

    def is_active(self):  # E4
        return self.state == "standing" and not self.is_blocked and not self.was_blocked


class Marks:
    """The marks of programs that duck, mute or host others (M1 to M4, L4)."""

    def __init__(self):
        self.all, self.of_process, self.effects = {}, collections.Counter(), collections.Counter()

    def appeared(self, object_number, properties, process, client):
        self.removed(object_number)
        mark = read_mark(properties)
        if mark and mark[0] != "card" and counts(*mark, client):
            if len(self.all) < MARKS and self.of_process[process] < MARKS_OF_PROCESS:
                self.all[object_number] = process, mark
                self.of_process[process] += 1
                self.effects[mark] += 1

    def removed(self, object_number):
        process, mark = self.all.pop(object_number, (None, None))
        if mark:
            self.of_process[process] -= 1
            self.effects[mark] -= 1

    def state(self):
        values = {word: [value for (name, value), count in self.effects.items() if name == word and count > 0]
                  for word in ("ducks", "mutes", "hosts")}
        gain = min(map(int, values["ducks"]), default=1000)
        lists = {"mutes": sorted(values["mutes"]), "hosts": sorted(map(int, values["hosts"]))}
        return ({"gain": gain} if gain < 1000 else {}) | {key: value for key, value in lists.items() if value}


class Board:
    """The stack, as any reader computes it."""

    def __init__(self, cookie, players=(None, None)):
        self.cookie, self.players = cookie, list(players)  # of all, and of those without notifies
        self.tokens, self.stack, self.released, self.unblocked, self.gone = {}, [], {}, {}, {}
        self.by_process, self.by_session, self.counted, self.highest, self.arrivals = {}, {}, 0, 0, 0
        self.last_round, self.is_changed, self.provisional, self.reviewed, self.kinds = 0, False, {}, set(), {}

    def appeared(self, token, now):
        self.removed(token.object, now)
        self.arrivals += 1
        token.arrival = self.arrivals
        surplus = [other for other in self.tokens.values() if not other.counts] if self.counted < len(self.tokens) else []
        if not self.has_room(token):
            own = sum(other.key[0] == token.key[0] for other in surplus)
            if len(surplus) >= SURPLUS or own >= SURPLUS_OF_PROCESS:
                return
        self.tokens[token.object] = token
        self.note_kind(token, 1)
        if self.has_room(token):
            self.count(token, now, self.present_view(token))
        self.highest = max(self.highest, token.serial)

    def has_room(self, token):  # L1
        return self.counted < OF_ALL and self.by_process.get(token.key[0], 0) < OF_PROCESS

    def note_kind(self, token, change):
        kind = (token.kind.group, token.kind.rank, token.kind.mixes, token.kind.captures)
        if not token.is_release:
            self.kinds.setdefault(kind, [0, token.kind])[0] += change
            if self.kinds[kind][0] == 0:
                del self.kinds[kind]

    def count(self, token, now, view):
        token.counts = True
        self.counted += 1
        self.by_process[token.key[0]] = self.by_process.get(token.key[0], 0) + 1
        self.by_session.setdefault(token.key, []).append(token)
        self.decide(token, *view)
        if self.is_provisional(token):
            self.provisional[token.object] = now + MEMORY
        if token.refusal is None and token.is_request and token.kind.is_player():  # B5
            for index in range(1 if "notifies" in token.fields else 2):
                if self.players[index] is None or token.serial > self.players[index][1]:
                    self.players[index] = (token.kind.group, token.serial)
        self.update(token.key, now)

    def removed(self, object_number, now):
        token = self.tokens.pop(object_number, None)
        if token is None:
            return None
        self.note_kind(token, -1)
        self.is_changed = True
        self.provisional.pop(object_number, None)
        self.reviewed.discard(object_number)
        if not token.counts:
            return None
        notice = self.notice(token.key)
        self.counted -= 1
        self.by_process[token.key[0]] -= 1
        others = self.by_session[token.key]
        others.remove(token)
        if len(others) == 1 and not self.is_provisional(others[0]):  # A8
            self.provisional.pop(others[0].object, None)
            self.reviewed.discard(others[0].object)
        self.update(token.key, now)
        if notice is not None and self.valid(token.key) is None:
            self.gone[token.key] = (notice, now + MEMORY)  # R3
        for other in self.tokens.values() if self.counted < len(self.tokens) else []:  # L2
            if not other.counts and self.has_room(other):
                self.count(other, now, self.late_view(other))
                break
        return token

    def notice(self, key):
        """Whether a session that leaves now does so with notice; None if it has left before."""
        entry = self.entry(key)
        return self.released[key] if key in self.released else entry.fields.get("notifies", False) if entry else None

    def entry(self, key):
        return next((token for token in self.stack if token.key == key), None)

    def decide(self, token, stack, blocked, is_interrupted):
        token.refusal, token.is_conditional = None, False
        if not token.is_request:
            return
        others = [other for other in stack if other.key != token.key]
        opponents = [other for other in others if other.kind.forbids(token.kind)
                     and other not in blocked and other.state in ("standing", "advised")]
        background = token.fields.get("background")
        since = background if isinstance(background, int) and not token.kind.mixes else None
        players = [other for other in stack if other.kind.is_player() and other.kind.group != token.kind.group]
        places = [other.place_of(self.cookie) for other in players]
        if token.serial < self.highest and any(
                other.arrival < token.arrival and other.serial > token.serial for other in self.tokens.values()):
            token.refusal = ("heldBack", None)  # A2
        elif opponents:
            token.refusal = ("insufficientPriority", opponents[-1].uuid)  # A3
        elif not token.kind.mixes and (background == "yes" or since is not None and any(
                run is None and place > since for run, place in places)):
            token.refusal = ("cannotInterruptOthers", None)  # A4
        elif "change" in token.fields and is_interrupted:
            token.refusal = ("interruptedMeanwhile", None)  # A5
        else:  # A7
            token.is_conditional = any(
                kind.forbids(token.kind) or since is not None and kind.is_player() and kind.group != token.kind.group
                for _, kind in self.kinds.values())

    def present_view(self, token):
        """The stack, its blocked sessions, and whether the token's session was interrupted (A3, A5)."""
        entry = self.entry(token.key)
        blocked = [other for other in self.stack if other.is_blocked]
        return self.stack, blocked, entry is not None and (entry.is_blocked or entry.was_blocked)

    def late_view(self, token):
        """The same for a token that is decided again (A8)."""
        earlier = [x for x in self.stack if max(y.arrival for y in self.by_session[x.key]) < token.arrival]
        blocked = [older for index, older in enumerate(earlier)
                   if any(newer.kind.interrupts(older.kind) for newer in earlier[index + 1:])]
        before = [x for x in self.by_session.get(token.key, []) if x.refusal is None and x.arrival < token.arrival]
        former = max(before, key=lambda x: x.serial, default=None)
        return earlier, blocked, former is not None and not former.is_release and any(
            self.rank(x) >= self.rank(former) and x.kind.interrupts(former.kind) for x in earlier)

    def is_provisional(self, token):
        is_change = token.is_request and "change" in token.fields and len(self.by_session[token.key]) > 1
        return token.refusal is not None or token.is_conditional or is_change

    def round_end(self):
        return self.last_round + MEMORY * (1 + len(self.reviewed) // 64) if self.reviewed and self.is_changed else None

    def next_review(self):
        return min((time for time in [*self.provisional.values(), self.round_end()] if time is not None), default=None)

    def review(self, now):  # A8
        due = [number for number, time in self.provisional.items() if time <= now]
        if self.reviewed and self.is_changed and self.round_end() <= now:
            due += self.reviewed
            self.last_round, self.is_changed = now, False
        elif due and not self.reviewed:
            self.last_round, self.is_changed = now, False
        for token in sorted((self.tokens[number] for number in due), key=lambda token: token.arrival):
            was_refused = token.refusal is not None
            self.decide(token, *self.late_view(token))
            self.provisional.pop(token.object, None)
            self.reviewed.discard(token.object)
            if self.is_provisional(token):
                self.reviewed.add(token.object)
            token.is_conditional = token.refusal is None
            if was_refused != (token.refusal is not None):
                self.update(token.key, now)

    def valid(self, key):  # Q1
        granted = sorted((x for x in self.by_session.get(key, []) if x.refusal is None), key=lambda x: x.serial)
        newest = max((x.serial for x in granted if not x.is_release), default=0)
        for token in granted:
            token.is_outdated = token.is_outdated or token.is_release and token.serial < newest
        return granted[-1] if granted and not granted[-1].is_outdated else None

    def rank(self, token):  # Q2, Q3, Q4
        run, place = token.place_of(self.cookie)
        return (0, self.claims(run=run), run, place, token.serial) if run is not None else (1, 0, 0, place, token.serial)

    def claims(self, run=None, process=None):
        """The highest counter that is claimed for a run, or by a process (Q4)."""
        return max((min(x.place[1] + (x.place[0] != self.cookie), (1 << 32) - 1) for x in self.tokens.values()
                    if x.counts and x.place and (x.place[0] == run or x.key[0] == process)), default=0)

    def counter(self):  # Q5
        processes = {token.key[0] for token in self.tokens.values() if token.place}
        claims = sorted((self.claims(process=process) for process in processes), reverse=True) + [0, 0]
        return min(claims[0], claims[1] + 1)

    def update(self, key, now):
        former = self.entry(key)
        self.stack = [token for token in self.stack if token.key != key]
        self.released.pop(key, None)
        newest = self.valid(key)
        since = self.unblocked.pop(key, None)
        if newest is not None:
            self.gone.pop(key, None)
            if newest.is_release:
                self.released[key] = newest.state == "released-notify"
            else:
                self.stack.append(newest)
                if since is not None and former and former.place_of(self.cookie) == newest.place_of(self.cookie):
                    self.unblocked[key] = since
        self.stack.sort(key=self.rank)
        self.is_changed = True
        self.block()
        for token in self.stack:
            token.was_blocked = token.was_blocked or token.is_blocked
            if token.state == "advised" or token.was_blocked and not token.is_blocked:  # I5
                self.unblocked.setdefault(token.key, now)
            else:
                self.unblocked.pop(token.key, None)

    def block(self):
        for index, older in enumerate(self.stack):  # E2
            older.is_blocked = any(newer.kind.interrupts(older.kind) for newer in self.stack[index + 1:])
        back = []
        for token in self.stack:  # E3
            if not token.is_blocked:
                token.is_blocked = any(self.overtakes(older, token) for older in back)
                if not token.is_blocked and token.is_put_back():
                    back.append(token)

    def overtakes(self, older, newer):
        return older.arrival > newer.arrival and older.kind.forbids(newer.kind)

    def blockers(self, token):
        position = self.stack.index(token)
        older = [x for x in self.stack[:position] if not x.is_blocked and x.is_put_back() and self.overtakes(x, token)]
        newer = [x for x in self.stack[position + 1:] if x.kind.interrupts(token.kind)]
        return older + newer if token.is_blocked else []

    def gain(self, token):  # E5
        return min((x.kind.gain_of(token.kind) for x in self.stack if x.is_active()), default=1000)

    def has_lapsed(self, key, now):  # I5
        return key in self.unblocked and self.unblocked[key] + LAPSE <= now

    def left(self, key, now):
        """Whether a session left with notice; None if its end was not seen within the last second."""
        if key in self.released:
            return self.released[key]
        notice, end = self.gone.get(key, (None, 0))
        return notice if end > now else None
