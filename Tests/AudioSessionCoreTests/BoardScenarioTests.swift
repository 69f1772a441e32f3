import AudioSessionCore
import Testing

/// Worked cases: who takes part, what they do, and what each of them hears. `BoardStage` explains the words.
@Suite struct BoardScenarioTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let cast: String
        let script: String
        let heard: [String: String]
        var testDescription: String { name }

        init(_ name: String, _ cast: String, _ script: String, _ heard: [String: String]) {
            self.name = name
            self.cast = cast
            self.script = script
            self.heard = heard
        }
    }

    @Test(arguments: exclusive + mixing + ducking + spoken + nesting + priorities + crashes + others)
    func hears(story: Case) {
        var stage = BoardStage(story.cast)
        stage.play(story.script)
        for (name, words) in story.heard {
            #expect(stage.words(name) == words, "\(name) in: \(story.script)")
        }
        #expect(stage.unanswered == 0)
    }

    static let exclusive = [
        Case(
            "three players in turn", "A:music B:music C:music", "+A +B +C",
            ["A": "on began:B", "B": "on began:C", "C": "on"]),
        Case("notice is advice to resume", "A:music B:music", "+A +B -B", ["A": "on began:B ended+", "B": "on off"]),
        Case("silence is none", "A:music B:music", "+A +B ~B", ["A": "on began:B ended-"]),
        Case(
            "taking back ends the interruption", "A:music B:music", "+A +B +A",
            ["A": "on began:B on", "B": "on began:A"]),
        Case(
            "the taker leaves after the victim took back", "A:music B:music", "+A +B +A -B",
            ["A": "on began:B on", "B": "on began:A off"]),
        Case("ambient interrupts nobody", "A:music B:game", "+A +B -B", ["A": "on", "B": "on off"]),
        Case("players interrupt recorders", "A:rec B:music", "+A +B", ["A": "on began:B"]),
        Case("options do not stick", "A:game B:music", "+B A=music +A", ["B": "on began:A", "A": "on"]),
        Case("activating twice", "A:music B:music", "+A +B +A +A", ["A": "on began:B on", "B": "on began:A"]),
        Case("deactivating twice", "A:music B:music", "+A +B -B -B", ["A": "on began:B ended+", "B": "on off"]),
        Case("deactivating when inactive", "A:music B:music", "+A -B", ["A": "on", "B": ""]),
        Case(
            "deactivating while interrupted", "A:music B:music", "+A +B -A -B",
            ["A": "on began:B off", "B": "on off"]),
    ]

    static let mixing = [
        Case("two that mix", "A:game B:game", "+A +B", ["A": "on", "B": "on"]),
        Case("mixing during a call", "A:call B:game", "+A +B", ["A": "on", "B": "on"]),
        Case("a call stops what mixes, too", "A:game B:call", "+A +B -B", ["A": "on began:B ended+"]),
        Case("but not a mixable call", "A:game B:mixCall", "+A +B", ["A": "on", "B": "on"]),
        Case("an alarm leaves what mixes alone", "A:game B:alarm", "+A +B", ["A": "on", "B": "on"]),
        Case("capturing during a call", "A:call B:mixRec C:rec", "+A +B +C", ["B": "priority:A", "C": "priority:A"]),
        Case("capturing during a mixable call", "A:mixCall B:mixRec", "+A +B", ["A": "on", "B": "priority:A"]),
    ]

    static let ducking = [
        Case("a prompt", "A:music N:nav", "+A +N -N", ["A": "on duck:200 duck:1000", "N": "on off"]),
        Case(
            "the first of two leaves", "A:music M:nav N:nav", "+A +M +N -M -N",
            ["A": "on duck:200 duck:1000", "M": "on off", "N": "on off"]),
        Case(
            "the deepest wins", "A:music M:nav N:deepNav", "+A +M +N -M -N", ["A": "on duck:200 duck:50 duck:1000"]),
        Case("arriving under a ducker", "A:game N:nav", "+N +A", ["A": "on duck:200"]),
        Case("nothing lower ducks", "A:alarm N:nav", "+A +N", ["A": "on"]),
        Case(
            "ducked, interrupted, still ducked", "A:music N:nav@n C:call@n", "+A +N +C -C +A -N",
            ["A": "on duck:200 began:C ended+ on duck:200 duck:1000"]),
        Case(
            "an interrupted ducker does not duck", "G:game N:nav C:call", "+N +C +G -C",
            ["N": "on began:C ended+", "G": "on"]),
        Case("a killed ducker", "A:music N:nav", "+A +N !N", ["A": "on duck:200 duck:1000"]),
        Case(
            "ducking begins by configuration", "A:music N:game", "+A +N N=nav N=game", ["A": "on duck:200 duck:1000"]),
    ]

    static let spoken = [
        Case(
            "one prompt, two kinds of listener", "A:game P:spokenGame N:prompt", "+A +P +N -N",
            ["A": "on duck:200 duck:1000", "P": "on began:N ended+"]),
        Case("it leaves silently", "A:game P:podcast N:prompt", "+A +P +N ~N", ["P": "on began:N ended-"]),
        Case("two prompts in turn", "P:podcast M:prompt N:prompt", "+P +M +N -M -N", ["P": "on began:M ended+"]),
        Case("not what matters more", "P:podcast N:prompt", "P=podcast +P +N", ["P": "on began:N"]),
    ]

    static let nesting = [
        Case(
            "unwinding out of order", "A:music B:music C:music", "+A +B +C -B -C",
            ["A": "on began:B ended+", "B": "on began:C off", "C": "on off"]),
        Case(
            "one of several left silently", "A:music B:music C:music", "+A +B +C ~B -C", ["A": "on began:B ended-"]),
        Case(
            "advice goes down the stack as claims lapse", "A:music B:call C:call", "+A +B +C -C 3s",
            ["C": "on off", "B": "on began:C ended+ lapsed", "A": "on began:B ended+"]),
        Case(
            "a player's lapse is no advice", "A:music B:music C:music", "+A +B +C -C 3s 1s",
            ["B": "on began:C ended+ lapsed", "A": "on began:B ended-"]),
        Case(
            "no resume passes on at once", "A:music B:music C:music", "+A +B +C ~C",
            ["B": "on began:C ended-", "A": "on began:B ended-"]),
        Case(
            "followed advice keeps those below waiting", "A:music B:music C:music", "+A +B +C -C +B 10s -B",
            ["B": "on began:C ended+ on off", "A": "on began:B ended+"]),
        Case("a claim lapses in 3 s", "A:music B:music", "+A +B -B 2999ms", ["A": "on began:B ended+"]),
        Case("and then it does", "A:music B:music", "+A +B -B 3s", ["A": "on began:B ended+ lapsed"]),
        Case("ring becomes call", "A:music R:ring@x C:call@x", "+A +R +C -R -C", ["A": "on began:R ended+"]),
        Case(
            "an advised session is not interrupted again", "A:music B:music C:music", "+A +B -B +C",
            ["A": "on began:B ended+", "C": "on"]),
        Case(
            "a route was lost before", "A:music B:call", "+A noroute:A +B -B", ["A": "on began:B ended-"]),
        Case("a route was lost since", "A:music B:call", "+A +B noroute:A -B", ["A": "on began:B ended-"]),
        Case("and found again", "A:music B:call", "+A noroute:A +B route:A -B", ["A": "on began:B ended+"]),
    ]

    static let priorities = [
        Case("music during a call", "C:call A:music", "+C +A", ["C": "on", "A": "priority:C"]),
        Case("a prompt during a call", "C:call N:nav", "+C +N", ["C": "on", "N": "on"]),
        Case("equals: the newer wins", "A:alarm B:alarm", "+A +B +A", ["A": "on began:B on", "B": "on began:A"]),
        Case(
            "emergency over ring over music", "A:music R:ring E:emergency", "+A +R +E +A -E +R -R",
            ["A": "on began:R priority:E ended+", "R": "on began:E ended+ on off", "E": "on off"]),
        Case(
            "a claim refuses too", "C:call D:call A:music", "+C +D -D +A",
            ["C": "on began:D ended+", "A": "priority:C"]),
        Case("a change is refused and undone", "A:game C:call", "+C +A A=music", ["A": "on priority:C", "C": "on"]),
        Case(
            "over an interrupted call", "C:call E:emergency@x A:music@x", "+C +E +A -E",
            ["C": "on began:E ended+", "A": "on", "E": "on off"]),
        Case(
            "and the call comes back", "C:call E:emergency@x A:music@x", "+C +E +A -E +C",
            ["C": "on began:E ended+ on", "A": "on began:C"]),
    ]

    static let crashes = [
        Case("a player is killed", "A:music B:music", "+A +B !B", ["A": "on began:B ended-"]),
        Case("a call is killed", "A:music B:call", "+A +B !B", ["A": "on began:B ended+"]),
        Case(
            "the middle is killed", "A:music B:music C:music", "+A +B +C !B -C", ["A": "on began:B ended-"]),
        Case(
            "a stopped process delays advice by 5 s", "A:music B:call C:call", "+A +B +C stop:B -C 4s",
            ["A": "on began:B"]),
        Case(
            "and no longer", "A:music B:call C:call", "+A +B +C stop:B -C 5s", ["A": "on began:B ended+"]),
        Case(
            "what wakes up finds its place", "A:music B:call C:call", "+A +B +C stop:B -C 5s +A cont:B",
            ["A": "on began:B ended+ priority:B", "B": "on began:C ended+"]),
    ]

    static let others = [
        Case("one group", "A:music@g B:music@g", "+A +B", ["A": "on", "B": "on"]),
        Case("one process", "A:music B:music/A C:music", "+A +B +C", ["A": "on began:C", "B": "on began:C"]),
        Case("the background interrupts nobody", "A:music B:music", "+A bg:B +B", ["A": "on", "B": "background"]),
        Case("but may mix", "A:music B:game", "+A bg:B +B", ["A": "on", "B": "on"]),
        Case("and go on playing", "A:music C:call", "+A bg:A +C -C +A", ["A": "on began:C ended+ on"]),
        Case("and start again", "A:music", "+A bg:A -A +A", ["A": "on off on"]),
        Case(
            "unless another played since", "A:music B:music", "+A bg:A -A +B -B +A", ["A": "on off background"]),
        Case("priority is checked first", "C:call A:music", "+C bg:A +A", ["A": "priority:C"]),
        Case("a change that frees", "A:music B:music", "+A +B B=game", ["A": "on began:B ended+", "B": "on"]),
        Case("a change that takes", "A:music B:game", "+A +B B=music", ["A": "on began:B", "B": "on"]),
        Case(
            "a change while interrupted waits", "A:music B:music C:game", "+C +A +B A=alarm +A",
            ["A": "on began:B on", "B": "on began:A"]),
    ]
}
