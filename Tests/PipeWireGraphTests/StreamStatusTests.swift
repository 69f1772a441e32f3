import AudioSessionCore
import CPipeWireShim
import Testing

@testable import PipeWireGraph

@Suite("The status of a stream")
struct StreamStatusTests {
    @Test("A message, which another program can send, is cut like a name") func messages() {
        let text = String(repeating: "x", count: 100_000)
        let status = GraphStream.Status(shim: CPW_STREAM_PAUSED, node: 7, message: text)
        #expect(status.message == String(text.prefix(GraphLimits.text)))
        #expect(GraphStream.Status(shim: CPW_STREAM_PAUSED, node: 7, message: nil).message == nil)
    }
}
