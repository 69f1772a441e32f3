import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessionTool
import AudioSessions

/// The demonstration on a private PipeWire with virtual cards.
struct PrivateDemo {
    let output: DemoOutput
    var quantum: Int?
    var pausesOnRouteLoss = true
    var resumesAfterInterruption = true
    /// The path of this program, which also acts as the other programs.
    var tool = ownProgram()

    /// Runs the demonstration to its end.
    ///
    /// - Returns: the differences from the expected result.
    func run() async throws -> [String] {
        var options = PrivatePipeWire.Options()
        options.quantum = quantum
        let pipeWire = try await PrivatePipeWire(options)
        do {
            let differences = try await run(in: pipeWire)
            await pipeWire.stop()
            return differences
        } catch {
            await pipeWire.stop()
            throw error
        }
    }

    private func run(in pipeWire: PrivatePipeWire) async throws -> [String] {
        let builtIn = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let stage = try await DemoStage(
            remote: pipeWire.remote, pausesOnRouteLoss: pausesOnRouteLoss,
            resumesAfterInterruption: resumesAfterInterruption)
        let version = AudioSessionManager.pipeWireVersion
        try output.say("A private PipeWire \(version) with a virtual sound card: speaker, headphones, screen.")
        var differences = try await pullJack(stage, builtIn)
        differences += try await pullHeadset(stage, pipeWire.remote)
        differences += try await plugAgain(stage, builtIn)
        differences += try await takeTurns(stage)
        await stage.close()
        await builtIn.close()
        return differences
    }

    /// Unplugs the headphones of a card whose speaker and headphones are two device routes of one
    /// sink. Only the card's jack availability distinguishes them.
    private func pullJack(_ stage: DemoStage, _ card: VirtualCard) async throws -> [String] {
        try await card.plug("headphones")
        guard await stage.waitForRoute(until: { $0.type == .headphones }) != nil else {
            return ["the sound did not go to the headphones that were plugged in"]
        }
        let loss = try await stage.lose(
            "1. Headphones in a jack. The speaker is on the same sink.",
            text: "the headphones are pulled out of the jack"
        ) { try await card.unplug("headphones") }
        try output.show(DemoTimeline.story(loss))
        return DemoVerdict.differences(loss)
    }

    private func pullHeadset(_ stage: DemoStage, _ remote: String) async throws -> [String] {
        let headset = try await VirtualCard(.usb(), remote: remote)
        let name = await headset.nodeNames.first { $0.hasPrefix("alsa_output") }
        guard await stage.waitForRoute(until: { $0.nodeName == name }) != nil else {
            // The next step must not attach a tap to a sink that is about to be removed.
            await headset.close()
            return ["the sound did not go to the headset that was plugged in"]
        }
        let loss = try await stage.lose(
            "2. A headset on USB. Its sink goes with it.", text: "the headset is pulled out of the USB socket"
        ) { try await headset.remove() }
        await headset.close()
        try output.show(DemoTimeline.story(loss))
        return DemoVerdict.differences(loss)
    }

    private func plugAgain(_ stage: DemoStage, _ card: VirtualCard) async throws -> [String] {
        try await stage.listen()
        let time = try await card.plug("headphones")
        let route = await stage.waitForRoute { $0.type == .headphones }
        let before = try await stage.waitForReports().map(\.listening)
        let isStillPaused = stage.player.state == .paused(reason: .routeLost)
        let port = stage.manager.currentRoute.outputs.first
        let sink = port?.nodeName ?? ""
        let start = try await stage.play(on: sink)
        let back = Return(
            title: "3. Headphones in the jack again.",
            event: Loss.Event(text: "the headphones are plugged in", time: time), route: route, before: before,
            isStillPaused: isStillPaused, playTime: start.asked, firstLoudTime: start.heard,
            port: port?.name ?? "nothing", sink: await stage.label(of: sink))
        try output.show(DemoTimeline.story(back))
        return DemoVerdict.differences(back)
    }

    private func takeTurns(_ stage: DemoStage) async throws -> [String] {
        let call = try await stage.giveWay(
            "4. A call, in another program. The music is interrupted, and resumes.", to: tool, until: "it hangs up"
        ) { try await $0.leave().askedTime }
        try output.show(DemoTimeline.story(call))
        var differences = DemoVerdict.differences(call)
        guard stage.player.state == .playing else { return differences }
        let prompt = try await stage.beDucked(
            "5. A spoken prompt, in another program. The music is ducked, and restored.", by: tool)
        try output.show(DemoTimeline.story(prompt))
        differences += DemoVerdict.differences(prompt)
        guard stage.player.state == .playing else { return differences }
        let death = try await stage.giveWay(
            "6. A call again, whose program is killed. The music resumes all the same.", to: tool,
            until: "it is killed, and does not release its session"
        ) { await $0.die() }
        try output.show(DemoTimeline.story(death))
        return differences + DemoVerdict.differences(death)
    }
}
