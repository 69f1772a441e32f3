package import AudioSessionCore
import CPipeWireShim

/// A process that puts back what this one has changed for others when this one ends, however it ends.
final class GuardProcess {
    private let handle: OpaquePointer

    /// - Parameter remote: the daemon's socket; `nil` as the environment says.
    init?(remote: String?) {
        var code: Int32 = 0
        guard let handle = cpw_guard_create(remote ?? "", &code) else { return nil }
        self.handle = handle
    }

    /// It does now what it was told last.
    deinit { cpw_guard_destroy(handle) }

    /// - Parameter mark: the name of ours.
    /// - Returns: whether it could be told.
    func tell(_ lines: [String], mark: String) -> Bool {
        var order = mark + "\n" + lines.joined(separator: "\n")
        return order.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { cpw_guard_tell(handle, $0, text.count) >= 0 } ?? false
            }
        }
    }
}

/// Lets streams play at their own volumes again when this process ends: unless somebody else shows a mark, who writes its own
/// gain when it sees ours go.
package final class StreamGuard {
    private let process: GuardProcess

    /// - Parameter remote: the daemon's socket; `nil` as the environment says.
    package init?(remote: String?) {
        guard let process = GuardProcess(remote: remote) else { return nil }
        self.process = process
    }

    /// - Parameter mark: the name of ours.
    /// - Returns: whether it could be told.
    @discardableResult
    package func entrust(_ charges: [ForeignStreams.Charge], mark: String) -> Bool {
        process.tell(charges.map(\.line), mark: mark)
    }
}

/// Switches cards back when this process ends: unless another one shows a mark of the same end.
package final class CardGuard {
    private let process: GuardProcess

    /// - Parameter remote: the daemon's socket; `nil` as the environment says.
    package init?(remote: String?) {
        guard let process = GuardProcess(remote: remote) else { return nil }
        self.process = process
    }

    /// - Parameter mark: the name of ours.
    package func entrust(_ charges: [CardCharge], mark: String) {
        _ = process.tell(charges.map { "@\($0.chosen) \($0.back) \($0.mark.end.text)" }, mark: mark)
    }
}

extension ForeignStreams.Charge {
    /// Volumes to the last bit, in every language.
    fileprivate var line: String {
        let words = ["\(id)", serial, isMuted ? "1" : "0"] + volumes.map { String($0.bitPattern, radix: 16) }
        return words.joined(separator: " ")
    }
}
