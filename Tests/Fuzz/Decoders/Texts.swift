import AudioSessionCore
import AudioSessionTestKit
import CPipeWireTestServer

@testable import AudioSessionTool
@testable import PipeWireGraph

/// A token: its name, a newline, its payload.
func fuzzToken(_ bytes: UnsafeRawBufferPointer) {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let announcement = Announcement(
        .token, name: UnsafeRawBufferPointer(rebasing: bytes[..<end]).text,
        payload: UnsafeRawBufferPointer(rebasing: bytes[min(end + 1, bytes.count)...]).text)
    guard case .token(let contents) = TokenContents.read(announcement.properties(of: .session)) else { return }
    for carrier in Announcement.Carrier.allCases {
        let properties = contents.announcement.properties(of: carrier)
        require(TokenContents.read(properties) == .token(contents), "not read as written: \(contents)")
    }
    let payload = contents.announcement.payload
    require(payload.utf8.count <= TokenContents.largestPayload, "too long to be read: \(payload)")
}

/// The metadata that names a default node. PipeWire's own tokenizer must read the same.
func fuzzName(_ bytes: UnsafeRawBufferPointer) {
    guard let name = nodeName(inJSON: bytes.text) else { return }
    // 0.3.65 misreads half of the characters beyond 16 bits, cuts a string at NUL, and refuses DEL
    // in a string.
    guard !name.unicodeScalars.contains(where: { $0.value >= 0x20000 }), !bytes.contains(0), !bytes.contains(0x7f)
    else { return }
    var read = [CChar](repeating: 0, count: bytes.count * 3 + 8)
    require(cpt_json_name(bytes.text, &read, read.count), "PipeWire reads no name where there is \(name)")
    // Names are cut to the limit.
    let reference = String(foreign: read)
    require(reference == name, "PipeWire reads \(reference) for \(name)")
}

/// A file in the format of `pw-dump`. A value that is read must be read back after it was written.
func fuzzDump(_ bytes: UnsafeRawBufferPointer) {
    if let value = try? JSONReader.value(in: Array(bytes)) {
        let again = try? JSONReader.value(in: Array(value.description.utf8))
        require(again == value, "\(String(describing: again)) after writing \(value)")
    }
    do {
        let dump = try PipeWireDump(json: bytes)
        for port in dump.ports { require(!port.description.isEmpty && !port.why.isEmpty, "a port without a reason") }
        let again = try PipeWireDump(json: bytes)
        require(again.ports == dump.ports, "other ports for the same file")
    } catch {
        require(!error.description.isEmpty, "an error without a word")
    }
}

/// The lines of `audiosession run`, in pieces as a pipe may deliver them.
func fuzzLines(_ bytes: UnsafeRawBufferPointer) {
    for line in lines(in: bytes, limit: RunCommandLine.maximumLength) {
        guard let command = RunCommandLine(line) else { continue }
        require(!command.word.isEmpty && command.word.unicodeScalars.count <= 64, "a word of \(line)")
        switch command.action {
        case .success(.volume(let volume)): require((0...1).contains(volume), "volume \(volume)")
        case .success(.play(.tone(let hertz))): require(RunCommandLine.pitches.contains(hertz), "\(hertz) Hz")
        case .success(.category(let configuration)): try? configuration.validate()
        case .success: break
        case .failure(let failure): require(!failure.message.isEmpty, "a failure without a word")
        }
    }
}

/// The lines of `audiosession simulate card`.
func fuzzCardLines(_ bytes: UnsafeRawBufferPointer) {
    for line in lines(in: bytes, limit: SimulatedCardCommand.maximumLength) {
        do {
            guard let command = try SimulatedCardCommand(line) else { continue }
            require(line.contains(command.word), "\(command.word) of \(line)")
        } catch {
            require(!error.message.isEmpty, "an error without a word")
        }
    }
}

private func lines(in bytes: UnsafeRawBufferPointer, limit: Int) -> [String] {
    var whole = LineAssembler(limit: limit)
    var pieces = LineAssembler(limit: limit)
    let expected = whole.append(bytes) + [whole.finish()].compactMap(\.self)
    let cut = bytes.count / 3
    let read = pieces.append(bytes.prefix(cut)) + pieces.append(bytes.dropFirst(cut))
    require(read + [pieces.finish()].compactMap(\.self) == expected, "other lines in pieces")
    return expected
}
