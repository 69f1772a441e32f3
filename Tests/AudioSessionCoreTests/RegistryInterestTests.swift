import AudioSessionCore
import Testing

struct RegistryInterestTests {
    /// Sends only the events of interest, as the shim does.
    private func concerns(_ type: ObjectType, _ properties: Properties, _ interests: [RegistryInterest]) -> Bool {
        let own = interests.filter { $0.type == type }
        return own.isEmpty
            || own.contains { interest in
                properties[interest.key].map { $0 == interest.value ?? $0 } ?? false
            }
    }

    @Test func theRegistryIsInterestedInWhatItBinds() {
        let classes =
            MediaClass.allCases.map(\.rawValue) + [
                "Audio/Sink/Internal", "Video/Source", "Video/Device", "Audio/Device", "",
            ]
        for mediaClass in classes {
            let properties: Properties = [.mediaClass: mediaClass, .nodeName: "n", .deviceName: "d"]
            var registry = RegistryStateMachine()
            _ = registry.receive(.nodeProperties(ObjectID(7), properties))
            let isNode = registry.graph.nodes.contains(ObjectID(7))
            #expect(concerns(.node, properties, RegistryInterest.ofSessions) == isNode, "\(mediaClass)")
            let isDevice = !registry.receive(.deviceAppeared(ObjectID(8), properties)).isEmpty
            #expect(concerns(.device, properties, RegistryInterest.ofSessions) == isDevice, "\(mediaClass)")
        }
        #expect(concerns(.metadata, [:], RegistryInterest.ofSessions))
    }

    /// The registry keeps nodes whose properties it receives; a program that ducks streams binds
    /// each of them.
    @Test func nodesAreBoundWithoutARequest() {
        #expect(RegistryInterest.ofSessions.allSatisfy { $0.isBound == ($0.type == .node) })
        #expect(RegistryInterest.ofDuckers.allSatisfy { !$0.isBound })
    }

    @Test func tokensAndMarksConcernAll() throws {
        let session = try #require(AudioSessionID("00000000-0000-4000-8000-000000000007"))
        let token = TokenContents(name: TokenName(session, 1), traits: TokenTraits()).announcement
        let mark = DuckingMark(name: "m").announcement
        for (type, carrier) in [(ObjectType.device, Announcement.Carrier.device), (.session, .session)] {
            for interests in [RegistryInterest.ofSessions, RegistryInterest.ofDuckers] {
                #expect(concerns(type, token.properties(of: carrier), interests))
                #expect(concerns(type, mark.properties(of: carrier), interests))
                #expect(!concerns(type, [.deviceName: "d", .deviceAPI: "alsa", .sessionName: "s"], interests))
            }
        }
    }
}
