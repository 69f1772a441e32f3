package import Testing

/// A suite that needs what a process has once, such as a singleton.
package struct HoldingTrait: SuiteTrait, TestScoping {
    fileprivate let resource: SharedResource

    package let isRecursive = false

    @concurrent package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await resource.take()
        do {
            try await function()
        } catch {
            await resource.release()
            throw error
        }
        await resource.release()
    }
}

extension Trait where Self == HoldingTrait {
    /// No other suite that holds the same runs at the same time.
    package static func holding(_ resource: SharedResource) -> Self { HoldingTrait(resource: resource) }
}

/// A resource that exists once in a process.
package actor SharedResource {
    /// The session of `AVAudioSession.sharedInstance()`.
    package static let sharedAudioSession = SharedResource()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    fileprivate func take() async {
        await withCheckedContinuation { continuation in
            if isTaken { waiting.append(continuation) } else { continuation.resume() }
            isTaken = true
        }
    }

    fileprivate func release() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
