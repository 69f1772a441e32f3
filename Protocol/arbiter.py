#!/usr/bin/env python3
"""A second implementation of Docs/Protocol.md: the owner's rules (section 7), and the steps of the vectors.

Reads steps as JSON lines on standard input, and writes one state for each on standard output, in the form that README.md
describes. Shares no code with the library; the stack is in stack.py. Names such as B1 are those of the page's rules.
"""

import json
import sys

from stack import Board, Kind, LAPSE, Marks, Token, counts, is_sandboxed, parse, process_of, read, read_mark, write

CLAIM, GRACE, TIMEOUT = 3000, 1000, 5000  # milliseconds
REMOVALS = 3


class Session:
    """A session of this program (section 7)."""

    def __init__(self, uuid, traits):
        self.uuid, self.wanted, self.state, self.claim_end = uuid, traits, "inactive", None
        self.token = self.place = self.traits = None  # of the granted place
        self.asking = None  # a token that requests a place
        self.queue, self.pending_release, self.reinstated = [], None, None
        self.blockers, self.all_notified = {}, True
        self.is_route_lost, self.removals = False, 0
        self.gain = self.ducked_gain = 1000


class Program:
    """A program with sessions, and all that it knows."""

    def __init__(self):
        self.clients, self.sessions, self.board, self.client = {}, {}, None, None
        self.now = self.counter = self.last_number = 0
        self.grace_end, self.is_in_background, self.kept, self.cookie = None, False, {}, None
        self.sends, self.events, self.is_silent, self.marks, self.players = [], [], False, Marks(), [None, None]

    # The board.

    def connect(self, cookie, client):
        if self.cookie is not None:
            self.counter += cookie != self.cookie  # S2
            self.grace_end = self.now + GRACE  # S3
            if cookie != self.cookie:
                self.players = [player and (player[0], 0) for player in self.players]  # B5
        self.board, self.client, self.cookie = Board(cookie, self.players), client, cookie
        self.is_silent = False
        for session in self.sessions.values():  # S1, S4
            if session.pending_release:
                self.leave(session, *session.pending_release, None)
                session.pending_release = None
            if session.place:
                self.show(session)
                if session.state == "active" and session.traits != session.wanted:
                    session.queue.insert(0, ("configure", session.wanted, False, self.now + TIMEOUT))
                    session.wanted = session.traits

    def disconnect(self):
        self.counter, self.players, self.board = self.present_counter(), self.board.players, None
        self.grace_end, self.kept, self.marks = None, {}, Marks()
        for session in self.sessions.values():
            asking, session.asking, session.reinstated = session.asking, None, None
            if asking and asking["asks"]:
                session.wanted = session.traits if asking["change"] and session.place else session.wanted
                self.notify(session, "refused", reason="mediaServicesFailed")
            for request, value, *_ in session.queue:
                if request != "deactivate":
                    self.notify(session, "refused", reason="mediaServicesFailed")
                elif session.state != "inactive":
                    self.release(session, value)
                    self.notify(session, "deactivated")
            session.queue = []

    def present_counter(self):
        return max(self.counter, self.board.counter())  # S2

    def key(self, session):
        return process_of(self.client, self.clients.get(self.client, {})), session.uuid

    def entry(self, session):
        return self.board.entry(self.key(session)) if self.board else None

    def appeared(self, object_number, serial, client, properties):
        try:
            token = read(properties)
        except ValueError:
            token = None  # P7
        self.board.removed(object_number, self.now)
        if serial is not None and client is not None:
            known = self.clients.get(client, {})
            self.marks.appeared(object_number, properties, process_of(client, known), known)
        if token is None or serial is None or client is None:  # O2
            return
        owner = self.clients.get(client, {})
        uuid, number_of_name, fields = token
        if is_sandboxed(owner):
            fields = fields | {"priority": "media"}  # P8
        made = Token(object_number, serial, client, process_of(client, owner), uuid, fields)
        made.name = f"audio-session.{uuid}.{number_of_name}"
        self.board.appeared(made, self.now)

    def removed(self, object_number):
        self.marks.removed(object_number)
        token = self.board.removed(object_number, self.now)
        if token is None or token.client != self.client or token.uuid not in self.sessions:
            return
        session = self.sessions[token.uuid]
        if session.token == token.name:  # B7
            if session.removals < REMOVALS:
                session.removals += 1
                self.show(session)
            else:
                self.lose(session)
        else:
            self.lose_surplus(session)

    def lose_surplus(self, session):
        """L3: a token that was to keep the place has no room."""
        if session.token and not self.board.by_session.get(self.key(session)) and self.own(session.token):
            self.sends.append(["destroy", session.token])
            self.lose(session)

    def lose(self, session):
        session.token = session.place = None
        self.release(session, None)
        self.notify(session, "lost")

    def own(self, name):
        return next((x for x in self.board.tokens.values() if x.client == self.client and x.name == name), None)

    def notify(self, session, event, **values):
        self.events.append({"session": session.uuid, "event": event} | values)

    # Tokens of this program.

    def create(self, session, fields):
        self.last_number += 1
        name = f"audio-session.{session.uuid}.{self.last_number}"
        self.sends.append(["create", name, write(fields)])
        return name

    def show(self, session):
        state = {"interrupted": "waiting", "advised": "advised"}.get(session.state, "standing")
        session.token = self.create(session, session.traits | {"state": state, "place": session.place})

    def remake(self, session):
        former = session.token
        self.show(session)
        self.sends.append(["destroy", former])

    def release(self, session, notify):
        session.state, session.blockers, session.claim_end = "inactive", {}, None
        session.gain = session.ducked_gain = 1000
        if not session.place:
            return
        place, traits, token = session.place, session.traits, session.token
        session.place = session.token = None
        notify = traits.get("notifies", False) if notify is None else notify
        if self.board is None:
            session.pending_release = (place, traits, notify)
        else:
            self.leave(session, place, traits, notify, token)

    def leave(self, session, place, traits, notify, token):
        if notify == traits.get("notifies", False):  # R1
            if token:
                self.sends.append(["destroy", token])
            return
        state = "released-notify" if notify else "released-silent"
        name = self.create(session, traits | {"state": state, "place": place})  # R2
        if token:
            self.sends.append(["destroy", token])
        if self.grace_end is not None:
            self.kept[name] = self.now + GRACE  # R4
        else:
            self.sends.append(["destroy", name])

    # Requests.

    def ask(self, session, traits, is_change, asks, deadline, is_repeated=False):
        background = {}
        if self.is_in_background and session.state != "advised":  # B5
            own = Kind(session.wanted, self.key(session)[0]).group
            players = self.board.players
            is_playing = any(player and player[0] == own for player in players)
            background = {"background": players[0][1] if is_playing else "yes"}
        fields = traits | {"state": "standing"} | background | ({"change": True} if is_change else {})
        session.asking = {"name": self.create(session, fields), "traits": traits, "change": is_change, "asks": asks,
                          "repeated": is_repeated, "deadline": deadline}

    def work(self, session):
        while session.queue and session.asking is None:
            request, value, asks, deadline = session.queue.pop(0)
            if request == "deactivate":
                if session.state != "inactive":
                    self.release(session, value)
                    self.notify(session, "deactivated")
            elif deadline <= self.now:
                self.notify(session, "refused", reason="timedOut")  # B6
            elif request == "configure":
                session.wanted = value
                if session.state == "active" and self.board:
                    self.ask(session, value, True, asks, deadline)  # B4
            elif self.board is None:
                self.notify(session, "refused", reason="mediaServicesFailed")  # S4
            elif session.state != "active" or session.wanted != session.traits:
                self.ask(session, session.wanted, False, asks, deadline)  # B1, I6

    def done(self, name):
        session = self.sessions.get(name.split(".")[1])
        if session is None:
            return
        if session.reinstated == name:
            session.reinstated = None
        if session.token == name:
            self.lose_surplus(session)
        asking = session.asking
        if asking is None or asking["name"] != name:
            return
        token = self.own(name)
        if token is None or not token.counts:
            self.conclude(session, "tooManyTokens" if token else "tokenNotMade")  # L3
        elif token.refusal is None:
            self.granted(session, asking, token)
        elif token.refusal[0] == "heldBack" and not asking["repeated"]:  # B2
            self.sends.append(["destroy", name])
            self.ask(session, asking["traits"], asking["change"], asking["asks"], asking["deadline"], True)
        else:
            self.conclude(session, *token.refusal)

    def granted(self, session, asking, token):
        if asking["change"] and session.place is None:
            self.leave(session, None, asking["traits"], True, asking["name"])
            session.asking = None
            return
        if session.token:
            self.sends.append(["destroy", session.token])
        session.token, session.traits, session.removals = asking["name"], asking["traits"], 0
        session.place = (self.cookie, self.present_counter(), token.serial)
        if not asking["change"] and session.state != "active":
            session.state, session.blockers, session.claim_end = "active", {}, None
            session.gain = session.ducked_gain = 1000
            self.notify(session, "activated")
        entry = self.entry(session)
        is_missed = entry is not None and session.state == "active" and entry.was_blocked and not entry.is_blocked
        if token.is_conditional or is_missed:  # B3
            state = session.state
            session.state = "interrupted" if entry is not None and entry.is_blocked else state
            self.remake(session)
            session.state = state
        self.evaluate(session)
        session.asking = None

    def conclude(self, session, reason, by=None):
        asking, session.asking = session.asking, None
        self.sends.append(["destroy", asking["name"]])
        if reason == "interruptedMeanwhile":
            return
        if reason == "heldBack":
            reason = "tokenNotMade"
        if asking["change"] and asking["asks"]:
            session.wanted = session.traits if session.place else asking["traits"]
        if asking["asks"]:
            self.notify(session, "refused", reason=reason, **({"by": by} if by else {}))

    def withdraw(self, session):  # B6
        asking, session.asking = session.asking, None
        if session.place:
            self.remake(session)
            session.reinstated = session.token
            self.sends.append(["destroy", asking["name"]])
        else:
            self.leave(session, None, asking["traits"], True, asking["name"])
        if asking["change"] and asking["asks"]:
            session.wanted = session.traits if session.place else asking["traits"]
        if asking["asks"]:
            self.notify(session, "refused", reason="timedOut")

    # Interruption.

    def evaluate(self, session):
        if session.state == "advised" and not session.asking and session.claim_end <= self.now:  # I3
            self.notify(session, "lapsed")
            return self.release(session, None)
        entry = self.entry(session)
        if not session.place or entry is None or session.reinstated:
            return
        present = {x.key: x for x in self.board.blockers(entry)}
        counted = {key: x for key, x in present.items() if not self.board.has_lapsed(key, self.now)}
        notices = {key: x.fields.get("notifies", False) for key, x in counted.items()}
        if session.state == "active":
            if entry.is_blocked:  # I1
                self.begin(session, next(iter(present.values())), notices)
            else:
                self.listen(session, entry)
        elif session.state == "interrupted":
            for key, notifies in session.blockers.items():
                if key in counted:
                    continue
                stands = self.board.entry(key) is not None
                left = self.board.left(key, self.now)
                if self.grace_end is not None and not stands and left is None:
                    notices[key] = notifies  # S3
                elif left is not None:
                    session.all_notified &= left
                else:  # I2, I5, R3
                    session.all_notified &= stands and not self.board.has_lapsed(key, self.now) or notifies
            session.blockers = notices
        elif session.state == "advised" and not session.asking and counted:
            self.begin(session, next(iter(counted.values())), notices)  # I4
            self.remake(session)
        if not session.asking and session.state == "interrupted" and not session.blockers:
            self.end(session)

    def begin(self, session, blocker, notices):
        session.state, session.all_notified, session.blockers = "interrupted", True, notices
        session.gain, session.ducked_gain, session.claim_end = 1000, 1000, None
        self.notify(session, "began", by=blocker.uuid)

    def end(self, session):  # I2, I3
        should_resume = session.all_notified and not session.is_route_lost
        self.notify(session, "ended", shouldResume=should_resume)
        if should_resume:
            session.state, session.claim_end = "advised", self.now + CLAIM
            self.remake(session)
        else:
            self.release(session, None)

    def listen(self, session, entry):
        gain = self.board.gain(entry)
        if self.grace_end is None or gain < session.ducked_gain:  # S3
            session.ducked_gain = gain
        gain = 0 if self.is_silenced(session.traits) else session.ducked_gain
        if gain != session.gain:
            session.gain = gain
            self.notify(session, "gain", gain=gain)

    def is_silenced(self, traits):  # M6
        return self.is_silent and traits.get("silenceable", False)

    # Steps.

    def step(self, step):
        self.now, self.sends, self.events = step["time"], [], []
        if "read" in step:
            return {"reading": self.reading(step["read"], step.get("of", {}))}
        if "connect" in step:
            self.connect(step["connect"]["cookie"], step["connect"]["client"])
        elif "object" in step:
            if self.board:
                self.appeared(step["object"], step.get("serial"), step.get("client"), step["properties"])
        elif "client" in step:
            self.clients[step["client"]] = step["properties"]
        elif "removed" in step:
            if self.board:
                self.removed(step["removed"])
        elif "done" in step:
            self.done(step["done"])
        elif "disconnect" in step:
            self.disconnect()
        elif "open" in step:
            self.sessions[step["open"]] = Session(step["open"], parse("1;state=standing;" + step["traits"]))
            del self.sessions[step["open"]].wanted["state"]
        elif "background" in step:
            self.is_in_background = step["background"]
        elif "silent" in step:
            self.is_silent = step["silent"] in ("true", "1")  # M6
        elif "routeLost" in step:
            self.sessions[step["routeLost"]].is_route_lost = step["lost"]
        for request in ("activate", "deactivate", "configure"):
            if request in step:
                value = step.get("notify")
                if request == "configure":
                    value = parse("1;state=standing;" + step["traits"])
                    del value["state"]
                self.sessions[step[request]].queue.append((request, value, True, self.now + TIMEOUT))
        if len(step) == 1 and self.board:
            self.board.review(self.now)
        self.settle()
        return {"stack": self.stack(), "events": self.events, "send": self.sends, "wake": self.wake(),
                "marks": self.marks.state()}

    def settle(self):
        if self.grace_end is not None and self.grace_end <= self.now:
            self.grace_end = None
        for name in [name for name, end in self.kept.items() if end <= self.now]:
            del self.kept[name]
            self.sends.append(["destroy", name])
        for session in self.sessions.values():
            if session.asking and session.asking["deadline"] <= self.now:
                self.withdraw(session)
            self.evaluate(session)
            if session.queue:
                self.work(session)
                self.evaluate(session)

    def wake(self):
        """The time of the next deadline."""
        times = [self.grace_end, *self.kept.values()]
        if self.board:
            lapses = [since + LAPSE for since in self.board.unblocked.values()]
            times += [self.board.next_review(), *(time for time in lapses if time > self.now)]
        for session in self.sessions.values():
            times.append(session.asking["deadline"] if session.asking else session.claim_end)
        return min((time for time in times if time is not None), default=None)

    def stack(self):
        states = []
        for token in self.board.stack if self.board else []:
            entry = {"session": token.uuid, "process": str(token.key[0])}
            if token.is_blocked:
                entry |= {"state": "interrupted", "by": [other.uuid for other in self.board.blockers(token)]}
            elif token.is_active():
                entry |= {"state": "active", "gain": 0 if self.is_silenced(token.fields) else self.board.gain(token)}
            else:
                entry |= {"state": "advised" if token.state == "advised" else "unblocked"}
            states.append(entry)
        return states

    def reading(self, properties, client):
        try:
            token = read(properties)
        except ValueError:
            return {"kind": "malformed"}
        if token:
            return {"kind": "token", "session": token[0], "number": token[1], "payload": write(token[2])}
        mark = read_mark(properties)
        if not mark:
            return {"kind": "none"}
        word, value = mark
        return {"kind": "mark", "payload": f"1;{word}={value}", "counts": counts(word, value, client)}


def main():
    program = Program()
    for line in sys.stdin:
        step = json.loads(line)
        if "begin" in step:
            program = Program()
            print("{}", flush=True)
        else:
            print(json.dumps(program.step(step)), flush=True)


if __name__ == "__main__":
    main()
