import CoreScenes

/// `core-events session|sink|jack|stream BESIDE TIMES`: each of these things comes and goes so often, beside so many others.
///
/// It prints nothing: it is run twice, for few times and for many, by a program that counts instructions or memory, and
/// the difference is what one time takes.
@main struct CoreEvents {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let beside = Int(arguments[2]), let times = Int(arguments[3]) else {
            return print("core-events session|sink|jack|stream BESIDE TIMES")
        }
        switch arguments[1] {
        case "session":
            var board = Board(sessions: beside)
            for _ in 0..<times { board.someoneComesAndGoes() }
        case "sink":
            var machine = Machine(streams: beside)
            for _ in 0..<times { machine.sinkComesAndGoes() }
        case "jack":
            var machine = Machine(streams: beside)
            for _ in 0..<times { machine.jackIsPluggedAndPulled() }
        default:
            var machine = Machine(streams: beside)
            for _ in 0..<times { machine.streamComesAndGoes() }
        }
    }
}
