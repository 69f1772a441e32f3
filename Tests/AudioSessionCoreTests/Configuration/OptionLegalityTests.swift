import AudioSessionCore
import Testing

@Suite struct OptionLegalityTests {
    typealias Configuration = AudioSessionConfiguration

    /// The legality of an option with a category.
    enum Cell { case yes, no, always, inDefaultMode, besideDucking }

    /// One row: the cell for ambient, soloAmbient, playback, record, playAndRecord and multiRoute.
    struct Row: Sendable, CustomTestStringConvertible {
        let option: Configuration.CategoryOptions
        let cells: [Cell]
        var testDescription: String { option.names.joined() }

        init(_ option: Configuration.CategoryOptions, _ cells: Cell...) {
            self.option = option
            self.cells = cells
        }
    }

    static let table = [
        Row(.mixWithOthers, .always, .no, .yes, .besideDucking, .yes, .inDefaultMode),
        Row(.duckOthers, .yes, .no, .yes, .yes, .yes, .inDefaultMode),
        Row(.interruptSpokenAudioAndMixWithOthers, .no, .no, .yes, .no, .yes, .inDefaultMode),
        Row(.allowBluetoothHFP, .no, .no, .no, .yes, .yes, .no),
        Row(.defaultToSpeaker, .no, .no, .no, .no, .yes, .no),
        Row(.allowBluetoothA2DP, .always, .always, .always, .no, .yes, .no),
        Row(.allowAirPlay, .always, .always, .always, .no, .yes, .no),
    ]
    static let columns: [Configuration.Category] = [
        .ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute,
    ]

    @Test(arguments: table, [0, 1, 2, 3, 4, 5])
    func anOptionIsLegalWhereItsRowSays(row: Row, column: Int) {
        let category = Self.columns[column]
        for mode in category.legalModes {
            let configuration = Configuration(category, mode: mode, options: row.option)
            let cell = row.cells[column]
            let expected = cell == .inDefaultMode ? mode == .default : cell != .no && cell != .besideDucking
            #expect(configuration.isLegal == expected, "\(category.name), \(mode.name)")
            #expect(configuration.violations.map(\.subject) == (expected ? [] : [.options(row.option)]))
            #expect(
                Configuration.CategoryOptions.legal(with: category, mode: mode).isSuperset(of: row.option)
                    == (expected || cell == .besideDucking))
        }
    }

    @Test(arguments: table, [0, 1, 2, 3, 4, 5])
    func anImpliedOptionIsInEffectWithoutBeingSet(row: Row, column: Int) {
        let configuration = Configuration(Self.columns[column])
        #expect(configuration.effectiveOptions.isSuperset(of: row.option) == (row.cells[column] == .always))
        #expect(configuration.options.isEmpty, "what was set is not touched")
    }

    @Test(arguments: table) func aFixNamesCategoriesThatAreLegal(row: Row) {
        for category in Self.columns {
            for mode in category.legalModes {
                let configuration = Configuration(category, mode: mode, options: row.option)
                for alternative in configuration.violations.flatMap(\.alternatives) {
                    let fixed = Configuration(alternative, mode: mode, options: row.option)
                    #expect(fixed.isLegal)
                    #expect(fixed.allowsPlayback || !configuration.allowsPlayback)
                    #expect(fixed.allowsRecording || !configuration.allowsRecording)
                }
            }
        }
    }

    /// The line of Apple's sample for live speech recognition, and its variants.
    @Test func whatRecordsMayDuck() throws {
        for mode in Configuration.Category.record.legalModes {
            for options: Configuration.CategoryOptions in [
                .duckOthers, [.duckOthers, .mixWithOthers], [.duckOthers, .allowBluetoothHFP],
            ] {
                let configuration = Configuration(.record, mode: mode, options: options)
                #expect(throws: Never.self) { try configuration.validate() }
                #expect(configuration.isMixable && configuration.ducksOthers && configuration.capturesAudio)
                #expect(!configuration.canBeNowPlaying)
            }
        }
        let violation = try #require(Configuration(.record, options: .mixWithOthers).violations.first)
        #expect(
            violation.rule
                == "Option mixWithOthers with category record is only for a session that also has duckOthers.")
        #expect(violation.fix == "Leave it out, or set duckOthers too.")
    }

    @Test func allIllegalOptionsAreNamed() {
        let violations = Configuration(.record, options: [.allowAirPlay, .defaultToSpeaker]).violations
        #expect(violations.map(\.subject) == [.options(.defaultToSpeaker), .options(.allowAirPlay)])
    }

    @Test func mixingThatAnotherOptionImpliesIsNamedOnce() {
        let violations = Configuration(.record, options: .interruptSpokenAudioAndMixWithOthers).violations
        #expect(violations.map(\.subject) == [.options(.interruptSpokenAudioAndMixWithOthers)])
    }

    @Test(arguments: [
        (0x10, "Use interruptSpokenAudioAndMixWithOthers"), (0x12, "Use interruptSpokenAudioAndMixWithOthers"),
        (0x80, "Leave it out"), (0x40000, "Leave it out"), (0x80000, "Leave it out"), (0x100, "Leave them out"),
        (1 << 63, "Leave them out"),
    ])
    func bitsWithoutMeaningAreRefused(bits: UInt, fix: String) throws {
        for category in Self.columns where category != .record && category != .soloAmbient {
            let configuration = Configuration(category, options: .init(rawValue: bits))
            let violation = try #require(configuration.violations.first)
            #expect(configuration.violations.count == 1)
            #expect(violation.subject == .options(.init(rawValue: bits & ~0x2)))
            #expect(violation.fix.hasPrefix(fix))
        }
    }

    @Test func optionsOfAppleHardwareAreRefusedByName() throws {
        for known in AppleOnly.all where known.bits != 0 {
            let options = Configuration.CategoryOptions(rawValue: known.bits).union(.allowBluetoothHFP)
            let violations = Configuration(.playAndRecord, options: options).violations
            #expect(violations.count == 1)
            #expect(violations.first?.rule.contains(known.name) == true)
        }
    }
}
