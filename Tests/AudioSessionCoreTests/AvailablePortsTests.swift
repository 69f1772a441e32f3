import Testing

@testable import AudioSessionCore

@Suite struct AvailablePortsTests {
    private let usb = Make.graph([Make.sink(), Make.sink("usb", id: 79, device: 32)], [])
    private let speaker = Make.graph([Make.sink()], [])

    /// The time counts from the moment of the change, even if listeners are notified of the lists
    /// much later.
    @Test func aPortIsNewFromTheMomentThatTheListsChange() {
        var ports = AvailablePorts(of: speaker)
        #expect(!evaluate(&ports, usb, at: 10).isEmpty)
        #expect(ports.arrival(of: "usb") == time(10))
    }

    @Test func aMoveIsKeptWhenAnotherFollows() {
        var ports = AvailablePorts(of: speaker)
        #expect(evaluate(&ports, usb, at: 10) == evaluate(&ports, usb, at: 15))
        #expect(!evaluate(&ports, speaker, at: 20).contains("usb"))
        #expect(ports.arrival(of: "usb") == time(10))
        #expect(ports.haveChanged { $0 == time(20) })
        #expect(!ports.haveChanged { $0 == time(15) })
    }

    private func evaluate(_ ports: inout AvailablePorts, _ graph: AudioGraph, at tenth: UInt64) -> [String] {
        ports.note(.everything, isConcerned: true)
        ports.evaluate(at: graph)
        ports.makeLists(time(tenth))
        return ports.outputs.map(\.uid)
    }

    private func time(_ tenth: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: tenth * 100_000_000) }
}
