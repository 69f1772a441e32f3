import PipeWireGraph

extension AudioSession {
    /// Active for as long as `body` runs, whatever it throws.
    /// - Throws: what ``activate(_:)`` throws, and then nothing was run; what `body` throws.
    public nonisolated func withActiveSession<Result>(_ body: () async throws -> Result) async throws -> Result {
        let hold = try await self.hold()
        do {
            let result = try await body()
            await hold.end()
            return result
        } catch {
            await hold.end()
            throw error
        }
    }

    /// Keeps the session active until the hold is ended. Several parts of a program may hold one session: it is
    /// deactivated, and others are notified, when the last of them ends.
    /// - Throws: what ``activate(_:)`` throws.
    public func hold() async throws(AudioSessionError) -> Hold {
        holds += 1
        do {
            try await activate()
        } catch {
            holds -= 1
            throw error
        }
        return Hold(self)
    }

    /// A part of the program that needs the session to be active.
    public final class Hold: Sendable {
        private let session: AudioSession
        private let isEnded = Locked(false)

        init(_ session: AudioSession) { self.session = session }

        deinit {
            guard isEnded.withLock({ !$0 }) else { return }
            Task { [session] in await session.release() }
        }

        /// Ending twice does nothing. What is not ended ends with the last reference.
        public func end() async {
            let isFirst = isEnded.withLock { isEnded in
                defer { isEnded = true }
                return !isEnded
            }
            if isFirst { await session.release() }
        }
    }

    private func release() async {
        holds -= 1
        guard holds == 0 else { return }
        // It can only fail when there is nothing to deactivate any more.
        _ = try? await deactivate()
    }
}
