import AudioSessionTestKit
import AudioSessionTool

extension SimulateCardCommand: Simulation {
    func simulate() async throws {
        let ending = try Ending()
        ending.followSignals()
        let description = kind.description(named: name)
        let card = try await ending.unlessRequested {
            [remote = connection.remote] () async throws(ToolFailure) -> VirtualCard in
            do throws(TestKitError) {
                return try await VirtualCard(description, remote: remote)
            } catch {
                // The descriptions of the tool have no other fault.
                throw error.code == .invalidDescription ? .nameTaken(description.name) : ToolFailure(error)
            }
        }
        try await SimulatedCard(card: card, output: LineOutput(ending: ending)).run(until: ending)
    }
}

extension SimulateCardCommand.Kind {
    func description(named name: String?) -> VirtualCardDescription {
        switch self {
        case .builtIn: name.map { .builtIn(id: $0) } ?? .builtIn()
        case .usb: name.map { .usb(id: $0) } ?? .usb()
        case .bluetooth: name.map { .bluetooth(address: Self.address(for: $0), name: $0) } ?? .bluetooth()
        }
    }

    /// A Bluetooth address that depends only on the name. Its second bit marks it as locally
    /// administered.
    static func address(for name: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let bytes = [2] + (0..<5).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}
