import AudioSessionCore
import PipeWireGraph

extension LoopExecutor {
    /// Makes a loop with a thread of its own.
    /// - Parameter purpose: What needs the thread, as the beginning of a sentence.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    static func make(for purpose: String) throws(AudioSessionError) -> LoopExecutor {
        do {
            return try LoopExecutor()
        } catch {
            throw AudioSessionError(
                .resourcesExhausted, rule: "\(purpose) needs a thread, and the system has none left.",
                fix: "End threads or close files, or raise the limits ('ulimit -u', 'ulimit -n').", underlying: error)
        }
    }
}
