import AudioSessionTool
import AudioSessions

/// The demonstration on the computer's own PipeWire, with a person who unplugs the output.
struct LiveDemo {
    let output: DemoOutput
    var remote: String?
    /// How long the person may take for each step.
    var patience = Duration.seconds(120)

    /// Runs the demonstration to its end.
    ///
    /// - Returns: the differences from the expected result.
    func run() async throws -> [String] {
        let stage = try await DemoStage(remote: remote)
        let differences = try await run(on: stage)
        await stage.close()
        return differences
    }

    private func run(on stage: DemoStage) async throws -> [String] {
        try await waitForHeadphones(stage)
        try await stage.listen()
        for (_, sink) in try await stage.waitForReports(frames: 12_000) where sink.loudFrames > 0 {
            throw ToolFailure.demo("Something else is heard on \(sink.sink). Let it pause, and start this again.")
        }
        let port = stage.manager.currentRoute.outputs.first?.name ?? "nothing"
        let loss = try await stage.lose("The output in use is pulled out.", text: "", patience: patience) {
            try output.say("Playing on \(port), listening to \(await stage.sinkCount) sinks. Pull it out now.")
            return nil
        }
        guard loss.noisyTime != nil || loss.gateTime != nil else {
            throw ToolFailure.demo("Nothing was pulled out within \(patience).")
        }
        try output.show(DemoTimeline.story(loss))
        return DemoVerdict.differences(loss) + (await unheard(loss, on: stage))
    }

    private func waitForHeadphones(_ stage: DemoStage) async throws {
        let outputs = stage.manager.currentRoute.outputs
        if let port = outputs.first, !port.type.isBuiltIn { return }
        let name = outputs.first?.name ?? "nothing"
        try output.say("Sound goes to \(name), which cannot be unplugged. Plug in headphones or a headset.")
        if await stage.waitForRoute(within: patience, until: { !$0.type.isBuiltIn }) == nil {
            throw ToolFailure.demo("Nothing was plugged in within \(patience).")
        }
    }

    /// Reports a new sink without a tap. It appeared only after the old sink was removed, so its
    /// sound was not measured.
    private func unheard(_ loss: Loss, on stage: DemoStage) async -> [String] {
        var result: [String] = []
        for port in loss.routeChange?.current.outputs ?? [] {
            if let sink = port.nodeName, await !stage.listens(to: sink) {
                result.append("\(sink) was not recorded, because it did not exist before")
            }
        }
        return result
    }
}
