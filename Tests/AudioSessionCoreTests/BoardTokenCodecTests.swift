import AudioSessionCore
import SessionStories
import Testing

@Suite struct BoardTokenCodecTests {
    private static let session = BoardStage.session(7)
    private static let name = TokenName(session, 3)

    private func read(_ payload: String, name: String = Self.name.description) -> TokenContents.Reading {
        TokenContents.read([.deviceAPI: "audio-session", .deviceName: name, .deviceDescription: payload])
    }

    @Test func aTokenIsWrittenAsItIsDocumented() {
        let contents = TokenContents(
            name: Self.name, state: .advised,
            traits: TokenTraits(
                priority: .alarm, group: "a b/ü", duckedGain: 200, interruptsSpokenAudio: true, isSpokenAudio: true,
                capturesAudio: true, leavesWithNotice: true, followsSilentMode: true),
            place: TokenPlace(cookie: 1, epoch: 2, serial: 3), background: .nowPlaying(9), isChange: true)
        let name = "audio-session.00000000-0000-4000-8000-000000000007.3"
        let payload =
            "1;state=advised;priority=alarm;group=a%20b%2f%c3%bc;mixes;ducks=200;prompts;spoken;captures;"
            + "notifies;silenceable;place=1:2:3;background=9;change"
        let announcement = contents.announcement
        #expect(announcement == Announcement(.token, name: name, payload: payload))
        #expect(announcement.properties(of: .session) == [.sessionName: name, .sessionToken: payload])
        #expect(
            announcement.properties(of: .device)
                == [.deviceAPI: "audio-session", .deviceName: name, .deviceDescription: payload])
        for carrier in Announcement.Carrier.allCases {
            #expect(TokenContents.read(announcement.properties(of: carrier)) == .token(contents))
        }
    }

    @Test func marksAndTokensAreDistinguished() {
        let mark = DuckingMark(name: "m")
        let token = TokenContents(name: Self.name, traits: TokenTraits())
        for carrier in Announcement.Carrier.allCases {
            #expect(TokenContents.read(mark.announcement.properties(of: carrier)) == .noToken)
            #expect(DuckingMark(mark.announcement.properties(of: carrier)) == mark)
            #expect(DuckingMark(token.announcement.properties(of: carrier)) == nil)
        }
    }

    @Test func everyKindOfTokenIsDecodedAsItWasEncoded() {
        var random = BoardRandom(seed: 1)
        for _ in 0..<2000 {
            let contents = Self.contents(&random)
            #expect(TokenContents.read(contents.announcement.properties()) == .token(contents))
            let length = contents.announcement.payload.utf8.count
            #expect(length <= TokenContents.largestPayload)
        }
    }

    static func contents(_ random: inout BoardRandom) -> TokenContents {
        let groups = ["music", "\u{fffd}", ";=%", String(repeating: "é", count: 40), "日本", " ", ""]
        let numbers: [UInt64] = [0, 1, 77, .max]
        let place = TokenPlace(
            cookie: .random(in: 0...(.max), using: &random), epoch: .random(in: 0...(.max), using: &random),
            serial: numbers.randomElement(using: &random) ?? 0)
        let backgrounds: [TokenContents.Background] = [.no, .yes, .nowPlaying(.max), .nowPlaying(0)]
        return TokenContents(
            name: TokenName(
                BoardStage.session(Int.random(in: 0...99, using: &random)), .random(in: 0...(.max), using: &random)),
            state: TokenContents.State.allCases.randomElement(using: &random) ?? .standing,
            traits: traits(&random, group: random.chance(50) ? groups.randomElement(using: &random) : nil),
            place: random.chance(50) ? place : nil, background: backgrounds.randomElement(using: &random) ?? .no,
            isChange: random.chance(50))
    }

    static func traits(_ random: inout BoardRandom, group: String?) -> TokenTraits {
        TokenTraits(
            priority: TokenPriority.allCases.randomElement(using: &random) ?? .media, group: group,
            isMixable: random.chance(40), duckedGain: random.chance(20) ? .random(in: 0...1200, using: &random) : nil,
            interruptsSpokenAudio: random.chance(15), isSpokenAudio: random.chance(30),
            capturesAudio: random.chance(30), leavesWithNotice: random.chance(50),
            followsSilentMode: random.chance(50))
    }

    @Test(arguments: [
        "", "1", "1;", ";", "0", "0;state=standing;priority=media", "-1;state=standing;priority=media", "one",
        "+2", "02;x", "1;state=standing", "1;priority=media", "1;state=standing;priority=media;",
        "1;state=standing;priority=media;state=standing", "1;state=playing;priority=media",
        "1;state=standing;priority=huge", "1;state=standing;priority=media;mixes=1",
        "1;state=standing;priority=media;later", "1;state=standing;priority=media;ducks",
        "1;state=standing;priority=media;ducks=1001", "1;state=standing;priority=media;ducks=-1",
        "1;state=standing;priority=media;ducks=99999999999999", "1;state=standing;priority=media;group=",
        "1;state=standing;priority=media;group=%", "1;state=standing;priority=media;group=%zz",
        "1;state=standing;priority=media;group=%+1", "1;state=standing;priority=media;group=%ff",
        "1;state=standing;priority=media;group=a b", "1;state=standing;priority=media;group=ü",
        "1;state=standing;priority=media;place=1:2", "1;state=standing;priority=media;place=1:2:+3",
        "1;state=standing;priority=media;place=1:2:99999999999999999999", "1;state;priority=media",
        "1;state=standing;priority=media;place=1:2:3:4", "1;state=standing;priority=media;background=no",
        "1;state=standing;priority=media;\u{fffd}", "1;state=standing;priority=media;mixes\n",
        "1;=;state=standing;priority=media",
    ])
    func anInvalidPayloadIsMalformed(payload: String) { #expect(read(payload) == .malformed) }

    @Test(arguments: ["1;state=standing;priority=media", "1;priority=media;state=standing"])
    func theOrderOfFieldsIsFree(payload: String) {
        #expect(read(payload) == .token(TokenContents(name: Self.name, traits: TokenTraits())))
    }

    @Test(arguments: [
        "2", "2;", "3;anything at all", "4294967296;state=x", "2;\u{fffd}",
        "2;" + String(repeating: "x", count: 100_000),
    ])
    func aNewerVersionMixes(payload: String) {
        #expect(read(payload) == .token(TokenContents(name: Self.name, traits: TokenTraits(isMixable: true))))
    }

    @Test func hugePayloadsAndGroupsAreMalformed() {
        let long = String(repeating: "a", count: TokenContents.largestGroup + 1)
        #expect(read("1;state=standing;priority=media;group=" + long) == .malformed)
        #expect(read("1;state=standing;priority=media;" + String(repeating: "x", count: 1_000_000)) == .malformed)
        #expect(read(String(repeating: "7", count: 1_000_000)) != .malformed)
        #expect(read(String(repeating: "0", count: 1_000_000)) == .malformed)
    }

    @Test(arguments: [
        "", "audio-session.", "audio-session.x.1", "audio-session.00000000-0000-4000-8000-000000000007",
        "audio-session.00000000-0000-4000-8000-000000000007.",
        "audio-session.00000000-0000-4000-8000-000000000007.-1",
        "audio-session.00000000-0000-4000-8000-000000000007.4294967296",
        "audio-session.00000000-0000-4000-8000-000000000007.1.2", "session.00000000-0000-4000-8000-000000000007.1",
        "audio-session.00000000_0000-4000-8000-000000000007.1",
        "audio-session.0000000g-0000-4000-8000-000000000007.1",
        "audio-session.00000000-0000-4000-8000-0000000000071.1", "audio-session.\u{301}", "audio-session.ßßßß",
    ])
    func badNamesAreMalformed(name: String) {
        #expect(read("1;state=standing;priority=media", name: name) == .malformed)
    }

    @Test func otherDevicesAreNoTokens() {
        #expect(TokenContents.read([:]) == .noToken)
        #expect(TokenContents.read([.deviceAPI: "alsa", .deviceName: Self.name.description]) == .noToken)
        #expect(TokenContents.read([.deviceAPI: "audio-session"]) == .malformed)
        #expect(TokenContents.read([.deviceAPI: "audio-session", .deviceName: Self.name.description]) == .malformed)
        #expect(TokenContents.read([.sessionName: Self.name.description]) == .noToken)
        #expect(TokenContents.read([.sessionToken: "1;state=standing;priority=media"]) == .malformed)
    }

    @Test func aSessionUUIDMayBeInUpperCase() {
        #expect(
            AudioSessionID("ABCDEF00-0000-4000-8000-000000000000")
                == AudioSessionID("abcdef00-0000-4000-8000-000000000000"))
    }

    @Test func anyMutationIsDecodedOrMalformed() {
        var random = BoardRandom(seed: 2)
        var counts = [0, 0]
        for _ in 0..<20_000 {
            let properties = Self.mutated(Self.contents(&random).announcement.properties(), &random)
            switch TokenContents.read(properties) {
            case .token(let contents):
                counts[0] += 1
                // A payload that was decoded can be encoded again.
                #expect(TokenContents.read(contents.announcement.properties()) == .token(contents))
            case .malformed: counts[1] += 1
            case .noToken: Issue.record("it still says that it is a token")
            }
        }
        #expect(counts[0] > 100 && counts[1] > 100)
    }

    static func mutated(_ properties: Properties, _ random: inout BoardRandom) -> Properties {
        var result = properties
        let key: PropertyKey = random.chance(70) ? .sessionToken : .sessionName
        var bytes = Array((properties[key] ?? "").utf8)
        for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let position = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...4, using: &random) {
            case 0: bytes[position] = .random(in: 0...255, using: &random)
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(.random(in: 0x20...0x7f, using: &random), at: position)
            case 3: bytes.append(contentsOf: bytes[position...])
            default: bytes.removeSubrange(position...)
            }
        }
        result[key] = String(decoding: bytes, as: UTF8.self)
        return result
    }
}
