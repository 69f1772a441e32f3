import PipeWireGraph

extension AudioSession {
    /// Activates the session, runs `body`, and deactivates the session, also if `body` throws.
    ///
    /// The session stays active while another ``hold()`` on it has not ended.
    /// - Parameter body: The work that needs the session to be active.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of ``activate()``, in which case `body` did not run, and those of
    ///   `body`.
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

    /// Activates the session and keeps it active until the returned hold ends.
    ///
    /// Several parts of a program may hold one session. It is deactivated, and other sessions are
    /// notified, when the last hold ends.
    /// - Returns: The hold. It ends with ``Hold/end()`` or with its last reference.
    /// - Throws: The errors of ``activate()``.
    public func hold() async throws(AudioSessionError) -> Hold {
        let wasHeld = holds > 0
        holds += 1
        do {
            try await activate()
        } catch {
            // The other holds may have ended meanwhile, so that this was the last one.
            if wasHeld { await release() } else { holds -= 1 }
            throw error
        }
        return Hold(self)
    }

    /// A hold of one part of the program on a session that it needs to be active.
    public final class Hold: Sendable {
        private let session: AudioSession
        private let isEnded = Locked(false)

        init(_ session: AudioSession) { self.session = session }

        deinit {
            guard isEnded.withLock({ !$0 }) else { return }
            Task { [session] in await session.release() }
        }

        /// Ends this hold, and deactivates the session if it was the last one. Ending a hold twice
        /// has no effect.
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
        // Fails only if nothing is left to deactivate.
        _ = try? await deactivate()
    }
}
