/// Interruptions of one session by another, and the resume advice at their end.
extension Stories {
    package static let exclusive = [
        Story(
            "three players one after the other", "A:music B:music C:music", "+A +B +C",
            ["A": "on began:B", "B": "on began:C", "C": "on"]),
        Story(
            "notice is advice to resume", "A:music B:music", "+A +B -B", ["A": "on began:B ended+", "B": "on off"]),
        Story("silence is none", "A:music B:music", "+A +B ~B", ["A": "on began:B ended-"]),
        Story(
            "taking back ends the interruption", "A:music B:music", "+A +B +A",
            ["A": "on began:B on", "B": "on began:A"]),
        Story(
            "the taker leaves after the victim took back", "A:music B:music", "+A +B +A -B",
            ["A": "on began:B on", "B": "on began:A off"]),
        Story("ambient interrupts no session", "A:music B:game", "+A +B -B", ["A": "on", "B": "on off"]),
        Story("players interrupt recorders", "A:rec B:music", "+A +B", ["A": "on began:B"]),
        Story(
            "a new category resets the options", "A:game B:music", "+B A=music +A", ["B": "on began:A", "A": "on"]),
        Story("activating twice", "A:music B:music", "+A +B +A +A", ["A": "on began:B on", "B": "on began:A"]),
        Story("deactivating twice", "A:music B:music", "+A +B -B -B", ["A": "on began:B ended+", "B": "on off"]),
        Story("deactivating when inactive", "A:music B:music", "+A -B", ["A": "on", "B": ""]),
        Story(
            "deactivating while interrupted", "A:music B:music", "+A +B -A -B",
            ["A": "on began:B off", "B": "on off"]),
        Story("no session is notified of a gap", "A:music B:music", "+A +B 3s", ["A": "on began:B", "B": "on"]),
        Story(
            "whatever is primary interrupts music", "A:music B:solo C:studio D:rec",
            "+A +B -B +A +C -C +A +D ~D", ["A": "on began:B ended+ on began:C ended+ on began:D ended-"]),
        Story(
            "and solo", "A:solo B:music C:studio D:solo", "+A +B -B +A +C -C +A +D ~D",
            ["A": "on began:B ended+ on began:C ended+ on began:D ended-"]),
        Story(
            "and what records", "A:studio B:solo C:rec D:music", "+A +B -B +A +C -C +A +D ~D",
            ["A": "on began:B ended+ on began:C ended+ on began:D ended-"]),
        Story(
            "a mixable session interrupts no other", "A:solo B:ambient C:studio D:mixRec", "+A +B -B -A +C +B +D -D",
            ["A": "on off", "B": "on off on", "C": "on", "D": "on off"]),
    ]

    package static let nesting = [
        Story(
            "unwinding out of order", "A:music B:music C:music", "+A +B +C -B -C",
            ["A": "on began:B ended+", "B": "on began:C off", "C": "on off"]),
        Story(
            "one of several left silently", "A:music B:music C:music", "+A +B +C ~B -C", ["A": "on began:B ended-"]),
        Story(
            "advice passes down the stack as claims lapse", "A:music B:call C:call", "+A +B +C -C 3s",
            ["C": "on off", "B": "on began:C ended+ lapsed", "A": "on began:B ended+"]),
        Story(
            "a player's lapse is no advice", "A:music B:music C:music", "+A +B +C -C 3s 1s",
            ["B": "on began:C ended+ lapsed", "A": "on began:B ended-"]),
        Story(
            "no resume passes on at once", "A:music B:music C:music", "+A +B +C ~C",
            ["B": "on began:C ended-", "A": "on began:B ended-"]),
        Story(
            "followed advice keeps those below waiting", "A:music B:music C:music", "+A +B +C -C +B 4s -B",
            ["B": "on began:C ended+ on off", "A": "on began:B ended+"]),
        Story("a claim lapses in 3 s", "A:music B:music", "+A +B -B 2999ms", ["A": "on began:B ended+"]),
        Story("and then it does", "A:music B:music", "+A +B -B 3s", ["A": "on began:B ended+ lapsed"]),
        Story("ring becomes call", "A:music R:ring@x C:call@x", "+A +R +C -R -C", ["A": "on began:R ended+"]),
        Story(
            "an advised session is interrupted again by a newer one", "A:music B:music C:music", "+A +B -B +C -C",
            ["A": "on began:B ended+ began:C ended+", "C": "on off"]),
        Story(
            "its first claim is over then", "A:music B:call C:call@x", "+A +B -B 2s +C 2s -C +A",
            ["A": "on began:B ended+ began:C ended+ on"]),
        Story(
            "the second may leave silently", "A:music B:music C:music", "+A +B -B +C ~C",
            ["A": "on began:B ended+ began:C ended-"]),
        Story(
            "a route was lost before", "A:music B:call", "+A noroute:A +B -B", ["A": "on began:B ended-"]),
        Story("a route was lost since", "A:music B:call", "+A +B noroute:A -B", ["A": "on began:B ended-"]),
        Story(
            "a route was lost within the claim", "A:music B:call C:call", "+A +B -B noroute:A +C -C",
            ["A": "on began:B ended+ began:C ended-"]),
        Story("and found again", "A:music B:call", "+A noroute:A +B route:A -B", ["A": "on began:B ended+"]),
        Story(
            "the top two leave at once", "A:music B:music C:music", "+A +B +C -C -B",
            ["A": "on began:B ended+", "B": "on began:C ended+ off", "C": "on off"]),
    ]
}
