// These rules classify outputs of sound cards whose bus does not decide.
extension PortTyping {
    static let outputs: [PortRule] = [
        typed([.speaker], .builtInSpeaker),
        typed([.headphones, .headset], .headphones),
        typed([.line], .lineOut),
        { [.hdmi, .tv].contains($0.kind) ? screen($0, named: "\($0.kindSource) hdmi", isFirm: true) : nil },
        typed([.earpiece, .handset], .builtInReceiver),
        typed([.spdif], .lineOut, detail: "; it is digital"),
        telephonyCodec, namedOutput, proAudio, converterBoard, analogOutput,
    ]

    private static func typed(_ kinds: Set<PortKind>, _ type: PortType, detail: String = "") -> PortRule {
        return { evidence in
            guard let kind = evidence.kind, kinds.contains(kind) else { return nil }
            return PortClassification(
                type, why: "\(evidence.kindSource) \(kind.rawValue), an output of a sound card" + detail)
        }
    }

    private static func telephonyCodec(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.kind == .bluetooth else { return nil }
        return PortClassification(
            .bluetoothHFP, isUncertain: true, why: "port.type bluetooth on an ALSA card: the codec of a phone")
    }

    /// Classifies a screen. A graphics card has connectors of both kinds and does not distinguish
    /// them; a board's HDMI codec has one.
    private static func screen(_ evidence: PortEvidence, named: String, isFirm: Bool) -> PortClassification {
        if isFirm, evidence.bus == .platform {
            return PortClassification(.hdmi, why: "\(named) on the computer's board")
        }
        return PortClassification(
            .hdmi, isUncertain: true, why: "\(named); HDMI and DisplayPort look alike in PipeWire's data")
    }

    private static func namedOutput(_ evidence: PortEvidence) -> PortClassification? {
        for name in evidence.names {
            if name.words.contains("hdmi") {
                return screen(evidence, named: "HDMI in \(name.source)", isFirm: name.isFirm)
            }
            let found = outputWords.filter { name.words.contains($0.word) }
            guard let first = found.first else { continue }
            return PortClassification(
                first.type, isUncertain: !name.isFirm || found.contains { $0.type != first.type },
                why: "“\(first.word)” in \(name.source)")
        }
        return nil
    }

    private static let outputWords: [(word: String, type: PortType)] = [
        ("displayport", .displayPort), ("headphone", .headphones), ("headset", .headphones),
        ("earpiece", .builtInReceiver), ("handset", .builtInReceiver), ("speaker", .builtInSpeaker),
        ("iec958", .lineOut), ("spdif", .lineOut), ("lineout", .lineOut), ("line out", .lineOut),
    ]

    private static let converterBoards = [
        "hifiberry", "iqaudio", "justboom", "audioinjector", " dac", " i2s", " allo",
    ]
    private static let cardNames: [PropertyKey] = [.alsaCardName, .alsaCardID, .deviceName, .deviceDescription]

    /// Classifies converter boards on the pins of small computers. They name no route, and have
    /// connectors for an amplifier.
    private static func converterBoard(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.bus == .platform, [nil, .analog, .unknown].contains(evidence.kind) else { return nil }
        let names = cardNames.lazy.compactMap { evidence[$0] }
        let name = names.first { name in converterBoards.contains(where: PortNameMatcher(name).contains) }
        return name.map { PortClassification(.lineOut, why: "a converter board (“\($0)”)") }
    }

    /// Classifies the Pro Audio profile, which exposes a card's channels directly and names no
    /// jack.
    static func proAudio(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.isProAudio else { return nil }
        return PortClassification(
            .pci, isUncertain: evidence.bus != .pci, why: "a card in its pro audio profile, which names no connector")
    }

    /// Classifies "Analog output", the name that a card uses if it does not know its own
    /// connectors.
    private static func analogOutput(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.kind == .analog else { return nil }
        let outputs = evidence.device?.routes.filter { $0.direction == .output } ?? []
        if evidence.isInternal, !evidence.isJackSensed, outputs.count < 2 {
            return PortClassification(
                .builtInSpeaker, isUncertain: true, why: "the only output of a card that is part of the computer")
        }
        return PortClassification(.lineOut, isUncertain: true, why: "an analog output without further information")
    }
}
