/// Priorities, kills, groups, the background and configuration changes.
extension Stories {
    package static let priorities = [
        Story("music during a call", "C:call A:music", "+C +A", ["C": "on", "A": "priority:C"]),
        Story("a prompt during a call", "C:call N:nav", "+C +N", ["C": "on", "N": "on"]),
        Story("equals: the newer wins", "A:alarm B:alarm", "+A +B +A", ["A": "on began:B on", "B": "on began:A"]),
        Story(
            "emergency over ring over music", "A:music R:ring E:emergency", "+A +R +E +A -E +R -R",
            ["A": "on began:R priority:E ended+", "R": "on began:E ended+ on off", "E": "on off"]),
        Story(
            "a claim refuses too", "C:call D:call A:music", "+C +D -D +A",
            ["C": "on began:D ended+", "A": "priority:C"]),
        Story("a change is refused and undone", "A:game C:call", "+C +A A=music", ["A": "on priority:C", "C": "on"]),
        Story(
            "over an interrupted call", "C:call E:emergency@x A:music@x", "+C +E +A -E",
            ["C": "on began:E ended+", "A": "on", "E": "on off"]),
        Story(
            "the call resumes", "C:call E:emergency@x A:music@x", "+C +E +A -E +C",
            ["C": "on began:E ended+ on", "A": "on began:C"]),
        Story(
            "a refused session changes nothing for waiting ones", "M:music C:call A:music", "+M +C +A -C",
            ["M": "on began:C ended+", "C": "on off", "A": "priority:C"]),
        Story(
            "a call that asks again", "A:music C:call", "+A +C +C C=call -C",
            ["A": "on began:C ended+", "C": "on off"]),
        Story(
            "refused, asked again, and granted", "C:call A:music", "+C +A -A -C +A",
            ["C": "on off", "A": "priority:C on"]),
        Story(
            "another purpose is refused, the first kept", "A:mixRec C:alarm M:game", "+A +C +M A=studio -A",
            ["A": "on priority:C off", "C": "on", "M": "on"]),
    ]

    package static let crashes = [
        Story("a player is killed", "A:music B:music", "+A +B !B", ["A": "on began:B ended-"]),
        Story("a call is killed", "A:music B:call", "+A +B !B", ["A": "on began:B ended+"]),
        Story(
            "a release says nothing about a later activation", "A:music B:call", "+B ~B +A +B !B",
            ["A": "on began:B ended+"]),
        Story(
            "the middle is killed", "A:music B:music C:music", "+A +B +C !B -C", ["A": "on began:B ended-"]),
        Story(
            "a stopped process delays advice by 5 s", "A:music B:call C:call", "+A +B +C stop:B -C 4s",
            ["A": "on began:B"]),
        Story(
            "and no longer", "A:music B:call C:call", "+A +B +C stop:B -C 5s", ["A": "on began:B ended+"]),
        Story(
            "a session that is advised beside a stopped process may be interrupted again",
            "A:music B:studio C:call D:music", "+A +B +C stop:B -C 5s +D",
            ["A": "on began:B ended+ began:B", "D": "on"]),
        Story(
            "what wakes up finds its place", "A:music B:call C:call", "+A +B +C stop:B -C 5s +A cont:B",
            ["A": "on began:B ended+ priority:B", "B": "on began:C ended+"]),
        Story(
            "a killed waiting session has no effect on others", "A:music B:music", "+A +B !A -B",
            ["A": "on began:B", "B": "on off"]),
        Story(
            "a film is killed, and its successor", "A:music B:call C:music", "+A +B !B +C !C",
            ["A": "on began:B ended+ began:C ended-", "C": "on"]),
    ]

    package static let others = [
        Story("one group", "A:music@g B:music@g", "+A +B", ["A": "on", "B": "on"]),
        Story("one process", "A:music B:music/A C:music", "+A +B +C", ["A": "on began:C", "B": "on began:C"]),
        Story(
            "a session in the background interrupts no other", "A:music B:music", "+A bg:B +B",
            ["A": "on", "B": "background"]),
        Story("a session in the background may mix", "A:music B:game", "+A bg:B +B", ["A": "on", "B": "on"]),
        Story(
            "a session in the background continues", "A:music C:call", "+A bg:A +C -C +A",
            ["A": "on began:C ended+ on"]),
        Story(
            "the now playing session may start again in the background", "A:music", "+A bg:A -A +A",
            ["A": "on off on"]),
        Story(
            "a session in the background cannot interrupt after another one played", "A:music B:music",
            "+A bg:A -A +B -B +A", ["A": "on off background"]),
        Story(
            "a session that leaves with notice does not end now playing", "A:music R:rec",
            "+A bg:A -A +R -R +A -A +R +A", ["A": "on off on off on", "R": "on off on began:A"]),
        Story(
            "and may play again in the background itself", "R:rec B:music", "+B -B +R bg:R bg:B -R +R -R +B",
            ["R": "on off on off", "B": "on off on"]),
        Story(
            "another player ends it", "A:music B:music R:rec", "+A bg:A -A +B -B +R -R +A",
            ["A": "on off background"]),
        Story(
            "a session in the background resumes when advised to", "A:music B:music", "+A bg:A +B -B +A",
            ["A": "on began:B ended+ on"]),
        Story("priority is checked first", "C:call A:music", "+C bg:A +A", ["A": "priority:C"]),
        Story("a change that frees", "A:music B:music", "+A +B B=game", ["A": "on began:B ended+", "B": "on"]),
        Story("a change that takes", "A:music B:game", "+A +B B=music", ["A": "on began:B", "B": "on"]),
        Story(
            "a change while interrupted waits", "A:music B:music C:game", "+C +A +B A=alarm +A",
            ["A": "on began:B on", "B": "on began:A"]),
        Story(
            "a change there and back", "A:music B:music", "+A +B B=game B=music",
            ["A": "on began:B ended+ began:B", "B": "on"]),
    ]
}
