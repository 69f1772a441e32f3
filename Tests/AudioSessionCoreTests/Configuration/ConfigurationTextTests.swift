import AudioSessionCore
import Testing

@Suite struct ConfigurationTextTests {
    typealias Configuration = AudioSessionConfiguration

    @Test func namesAreReadBack() throws {
        for category in Configuration.Category.allCases {
            #expect(try Configuration.Category(named: category.name) == category)
            #expect(try Configuration.Category(named: category.rawValue) == category)
        }
        for mode in Configuration.Mode.allCases {
            #expect(try Configuration.Mode(named: mode.name) == mode)
            #expect(try Configuration.Mode(named: mode.rawValue) == mode)
        }
        for policy in Configuration.RouteSharingPolicy.allCases {
            #expect(try Configuration.RouteSharingPolicy(named: policy.name) == policy)
        }
        for rawValue in UInt(0)..<0x80 where rawValue & 0x11 != 0x10 {
            let options = Configuration.CategoryOptions(rawValue: rawValue)
            #expect(try Configuration.CategoryOptions(named: options.names.joined(separator: ",")) == options)
        }
    }

    @Test func namesAreApplesWithoutTheirCommonPrefix() {
        #expect(Configuration.Category.playAndRecord.name == "playAndRecord")
        #expect(Configuration.Mode.default.name == "default")
        #expect(Configuration.CategoryOptions(rawValue: 0x13).names.count == 2)
    }

    @Test func oldNamesAreRead() throws {
        #expect(try Configuration.CategoryOptions(named: "allowBluetooth") == .allowBluetoothHFP)
        #expect(try Configuration.RouteSharingPolicy(named: "longForm") == .longFormAudio)
    }

    @Test func namesThatOnlyAppleHasAreRefusedWithTheReason() throws {
        for known in AppleOnly.all {
            for name in [known.name, known.appleName] {
                let error = try #require(throws: AudioSessionError.self) { try read(name, as: known.kind) }
                #expect(error.code == .badParam)
                #expect(error.rule == known.rule)
                #expect(error.fix == known.fix)
            }
        }
    }

    private func read(_ name: String, as kind: AppleOnly.Kind) throws(AudioSessionError) {
        switch kind {
        case .category: _ = try Configuration.Category(named: name)
        case .mode: _ = try Configuration.Mode(named: name)
        case .option: _ = try Configuration.CategoryOptions(named: name)
        case .policy: _ = try Configuration.RouteSharingPolicy(named: name)
        }
    }

    @Test(arguments: ["", "Playback", "playback ", "AVAudioSessionCategory", "default"])
    func anUnknownNameIsRefusedWithAListOfAllNames(text: String) throws {
        let error = try #require(throws: AudioSessionError.self) { try Configuration.Category(named: text) }
        #expect(error.rule == "There is no category \"\(text)\".")
        #expect(error.fix == "Use one of ambient, soloAmbient, playback, record, playAndRecord, multiRoute.")
    }

    @Test(arguments: ["duckOthers,", ",", "duckOthers, mixWithOthers", "duckOthers,shout"])
    func aListOfOptionsHasNothingElse(text: String) {
        let error = #expect(throws: AudioSessionError.self) { try Configuration.CategoryOptions(named: text) }
        #expect(error?.code == .badParam && error?.rule?.hasPrefix("There is no option") == true)
    }

    @Test func longAndHostileTextIsShortenedInTheMessage() throws {
        let text = "\u{1b}[2J\n" + String(repeating: "e\u{301}", count: 100_000)
        let error = try #require(throws: AudioSessionError.self) { try Configuration.Mode(named: text) }
        #expect(error.message.utf8.count < 400)
        #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
