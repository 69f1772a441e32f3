/// A mark of a program whose descendants without sessions follow its session.
///
/// The payload is `1;hosts=` and the id of the publishing process. While the mark exists, other
/// programs leave the streams of these descendants unchanged.
package struct HostingMark: Sendable, Hashable {
    package let name: String
    package let process: Int

    package init(name: String, process: Int) {
        self.name = name
        self.process = process
    }

    package init?(_ properties: Properties) {
        guard let (name, digits) = properties.mark(beginningWith: Self.start), let process = Int32(digits),
            process > 0, String(process) == digits
        else { return nil }
        self.init(name: name, process: Int(process))
    }

    /// Whether the mark counts. A program can claim any process, so it must be the one that
    /// PipeWire reports for the client that owns the mark.
    package func counts(of client: Client?) -> Bool {
        client.map { !$0.isSandboxed && $0.processID == process } ?? false
    }

    package var announcement: Announcement {
        Announcement(.mark, name: name, payload: Self.start + String(process))
    }

    private static let start = "1;hosts="
}
