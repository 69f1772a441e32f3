/// Sessions that sound at the same time.
extension Stories {
    package static let mixing = [
        Story("two that mix", "A:game B:game", "+A +B", ["A": "on", "B": "on"]),
        Story("mixing during a call", "A:call B:game", "+A +B", ["A": "on", "B": "on"]),
        Story("a call stops what mixes, too", "A:game B:call", "+A +B -B", ["A": "on began:B ended+"]),
        Story("but not a mixable call", "A:game B:mixCall", "+A +B", ["A": "on", "B": "on"]),
        Story("an alarm leaves what mixes alone", "A:game B:alarm", "+A +B", ["A": "on", "B": "on"]),
        Story(
            "capturing during a call", "A:call B:mixRec C:rec", "+A +B +C", ["B": "priority:A", "C": "priority:A"]),
        Story("capturing during a mixable call", "A:mixCall B:mixRec", "+A +B", ["A": "on", "B": "priority:A"]),
        Story(
            "which may stop it, and start it again", "C:call G:game", "+C +G -G +G -C",
            ["C": "on off", "G": "on off on"]),
    ]

    package static let ducking = [
        Story("a prompt", "A:music N:nav", "+A +N -N", ["A": "on duck:200 duck:1000", "N": "on off"]),
        Story(
            "the first of two leaves", "A:music M:nav N:nav", "+A +M +N -M -N",
            ["A": "on duck:200 duck:1000", "M": "on off", "N": "on off"]),
        Story(
            "the deepest wins", "A:music M:nav N:deepNav", "+A +M +N -M -N", ["A": "on duck:200 duck:50 duck:1000"]),
        Story("arriving under a ducker", "A:game N:nav", "+N +A", ["A": "on duck:200"]),
        Story("nothing lower ducks", "A:alarm N:nav", "+A +N", ["A": "on"]),
        Story(
            "ducked, interrupted, still ducked", "A:music N:nav@n C:call@n", "+A +N +C -C +A -N",
            ["A": "on duck:200 began:C ended+ on duck:200 duck:1000"]),
        Story(
            "an interrupted ducker does not duck", "G:game N:nav C:call", "+N +C +G -C",
            ["N": "on began:C ended+", "G": "on"]),
        Story("a killed ducker", "A:music N:nav", "+A +N !N", ["A": "on duck:200 duck:1000"]),
        Story(
            "ducking begins by configuration", "A:music N:game", "+A +N N=nav N=game", ["A": "on duck:200 duck:1000"]),
        Story(
            "music arriving under a ducker", "A:music N:nav", "+N +A -N",
            ["A": "on duck:200 duck:1000", "N": "on off"]),
        Story(
            "a group under a ducker", "A:music@g B:music@g N:nav", "+A +N +B -N",
            ["A": "on duck:200 duck:1000", "B": "on duck:200 duck:1000", "N": "on off"]),
        Story(
            "the stronger is felt, then the weaker", "A:music C:call N:nav", "+A +C +N -C +A -N",
            ["A": "on began:C ended+ on duck:200 duck:1000", "C": "on off", "N": "on off"]),
        Story(
            "all but one, and all back to what they were", "I:music A:music@n G:game N:nav@n", "+I +A +G +N -N",
            ["I": "on began:A", "A": "on", "G": "on duck:200 duck:1000"]),
        Story(
            "a recording session ducks a playing one", "A:game R:duckRec", "+A +R -R",
            ["A": "on duck:200 duck:1000", "R": "on off"]),
        Story(
            "a playing session ducks a playing and recording one", "R:mixRec N:nav", "+R +N -N",
            ["R": "on duck:200 duck:1000", "N": "on off"]),
    ]

    package static let spoken = [
        Story(
            "one prompt, two kinds of listener", "A:game P:spokenGame N:prompt", "+A +P +N -N",
            ["A": "on duck:200 duck:1000", "P": "on began:N ended+"]),
        Story("it leaves silently", "A:game P:podcast N:prompt", "+A +P +N ~N", ["P": "on began:N ended-"]),
        Story(
            "two prompts one after the other", "P:podcast M:prompt N:prompt", "+P +M +N -M -N",
            ["P": "on began:M ended+"]),
        Story("not what matters more", "P:podcast N:prompt", "P=podcast +P +N", ["P": "on began:N"]),
    ]

    package static let silence = [
        Story(
            "only what is secondary is mute", "A:ambient B:music", "+A +B silent loud",
            ["A": "on duck:0 duck:1000", "B": "on"]),
        Story("what starts in silent mode starts silent", "A:solo", "silent +A loud", ["A": "on duck:0 duck:1000"]),
        Story("twice is once", "A:solo", "+A silent silent loud loud", ["A": "on duck:0 duck:1000"]),
        Story(
            "a mute beats a duck, then ducked again, then full", "A:ambient B:nav", "+A +B silent loud -B",
            ["A": "on duck:200 duck:0 duck:200 duck:1000", "B": "on off"]),
        Story(
            "a duck that begins and ends meanwhile is not heard of", "A:ambient B:nav", "+A silent +B -B loud",
            ["A": "on duck:0 duck:1000"]),
        Story(
            "a duck that begins meanwhile is left when it is over", "A:ambient B:nav", "+A silent +B loud -B",
            ["A": "on duck:0 duck:200 duck:1000"]),
        Story(
            "a session that takes back is mute at once", "A:solo B:music", "silent +A +B -B +A",
            ["A": "on duck:0 began:B ended+ on duck:0", "B": "on off"]),
        Story(
            "a mute session is active like any other", "A:music B:solo", "silent +A +B -B",
            ["A": "on began:B ended+", "B": "on duck:0 off"]),
        Story(
            "another category is heard", "A:solo", "+A silent A=music A=solo",
            ["A": "on duck:0 duck:1000 duck:0"]),
        Story("silent mode ends with its daemon", "A:solo", "+A silent down up 2s", ["A": "on duck:0 duck:1000"]),
    ]
}
