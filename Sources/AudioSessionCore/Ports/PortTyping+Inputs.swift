// These rules classify inputs of sound cards whose bus does not decide.
extension PortTyping {
    static let inputs: [PortRule] = [
        headsetMic, lineIn, namedBuiltInMic, jackMic, plainMic, analogInput, otherInput, proAudio,
    ]

    private static func headsetMic(_ evidence: PortEvidence) -> PortClassification? {
        if evidence.kind == .headset {
            return PortClassification(.headsetMic, why: "\(evidence.kindSource) headset, an input")
        }
        guard let name = evidence.firmName(where: { $0.contains("headset") }) else { return nil }
        return PortClassification(.headsetMic, why: "“headset” in \(name.source)")
    }

    private static func lineIn(_ evidence: PortEvidence) -> PortClassification? {
        if evidence.kind == .line { return PortClassification(.lineIn, why: "\(evidence.kindSource) line, an input") }
        let words = ["linein", "line in "]
        guard let name = evidence.firmName(where: { name in words.contains(where: name.containsWord(from:)) })
        else { return nil }
        return PortClassification(.lineIn, why: "“line in” in \(name.source)")
    }

    /// Classifies `Mic1`, which is the name of a laptop's microphone array in use case files.
    private static func namedBuiltInMic(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.mayBeMic else { return nil }
        let words = ["internal", "digital", "dmic", "mic1 ", "builtin"]
        for name in evidence.names {
            guard let word = words.first(where: name.words.containsWord(from:)) else { continue }
            return PortClassification(
                .builtInMic, isUncertain: !name.isFirm, why: "“\(word.filter { $0 != " " })” in \(name.source)")
        }
        return nil
    }

    private static func jackMic(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.isMic else { return nil }
        let places = ["front mic", "rear mic", "dock mic", "headphone mic", "frontmic", "rearmic", "headphonemic"]
        if places.contains(where: PortNameMatcher(evidence.routeName).contains) {
            return PortClassification(.headsetMic, why: "the route's name places the microphone in a jack")
        }
        if let jack = evidence.route?.availabilityGroup, !jack.hasPrefix("Legacy ") {
            return PortClassification(.headsetMic, why: "a microphone with a jack of its own (\(jack))")
        }
        guard evidence.isJackSensed else { return nil }
        return PortClassification(
            .headsetMic, isUncertain: true,
            why: "a microphone whose jack has a sensor, as a built-in one usually has not")
    }

    private static func plainMic(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.isMic else { return nil }
        // By convention, the first of a laptop's numbered microphones is built in, and the others
        // may be external.
        let isOnlyMic = evidence.useCaseDevice.map { !($0.last?.isNumber ?? false) } ?? evidence.isInternal
        return PortClassification(
            .builtInMic, isUncertain: !isOnlyMic, why: "a microphone without a jack sensor")
    }

    private static func analogInput(_ evidence: PortEvidence) -> PortClassification? {
        guard [.analog, .aux].contains(evidence.kind) else { return nil }
        if let name = evidence.names.first(where: { $0.words.containsWord(from: "dmic") }) {
            return PortClassification(.builtInMic, why: "a digital microphone chip, by \(name.source)")
        }
        let type: PortType = evidence.isJackSensed ? .lineIn : .builtInMic
        let why = evidence.isJackSensed ? "whose jack has a sensor" : "without further information"
        return PortClassification(type, isUncertain: true, why: "an analog input \(why)")
    }

    private static func otherInput(_ evidence: PortEvidence) -> PortClassification? {
        switch evidence.kind {
        case .spdif: PortClassification(.lineIn, why: "\(evidence.kindSource) spdif, an input; it is digital")
        case .radio: PortClassification(.lineIn, why: "port.type radio, the card's tuner")
        case .video, .tv: PortClassification(.lineIn, why: "port.type video, the card's tuner")
        case .hdmi: PortClassification(.hdmi, isUncertain: true, why: "port.type hdmi, an input")
        case .bluetooth:
            PortClassification(
                .bluetoothHFP, isUncertain: true, why: "port.type bluetooth on an ALSA card: the codec of a phone")
        default: nil
        }
    }
}

extension PortEvidence {
    fileprivate func firmName(where matches: (PortNameMatcher) -> Bool) -> PortName? {
        names.first { $0.isFirm && matches($0.words) }
    }

    fileprivate var useCaseDevice: String? {
        CardNames.useCaseDevice(in: routeName) ?? nodeProfile.flatMap(CardNames.useCaseDevice(in:))
    }

    fileprivate var mayBeMic: Bool { kind == nil || kind == .mic || kind == .unknown }

    /// Whether it is a microphone, also by a name outside of the vocabulary of use case files.
    fileprivate var isMic: Bool { kind == .mic || (mayBeMic && firmName { $0.containsWord(from: "mic") } != nil) }
}
