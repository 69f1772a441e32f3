import Testing

@testable import AudioSessionCore

@Suite struct AvailablePortsTests {
    private let usb = Make.graph([Make.sink(), Make.sink("usb", id: 79, device: 32)], [])
    private let speaker = Make.graph([Make.sink()], [])

    /// However late that is noted: who is told of the lists may take long.
    @Test func aPortCameWhenTheListsWereMade() {
        var ports = AvailablePorts(of: speaker)
        #expect(!look(&ports, usb, at: 1).isEmpty)
        #expect(ports.arrival(of: "usb") == time(1))
    }

    @Test func aMoveIsNotLostToTheNext() {
        var ports = AvailablePorts(of: speaker)
        #expect(look(&ports, usb, at: 1) == look(&ports, usb, at: 2))
        #expect(!look(&ports, speaker, at: 3).contains("usb"))
        #expect(ports.arrival(of: "usb") == time(1))
        #expect(ports.haveChanged { $0 == time(3) })
        #expect(!ports.haveChanged { $0 == time(2) })
    }

    private func look(_ ports: inout AvailablePorts, _ graph: AudioGraph, at second: UInt64) -> [String] {
        ports.note(.everything, isConcerned: true)
        ports.look(at: graph)
        ports.makeLists(time(second))
        return ports.outputs.map(\.uid)
    }

    private func time(_ second: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: second * 1_000_000_000) }
}
