package import Testing

/// Polls a condition until it holds.
///
/// For state that no event announces, such as a program's memory or what the real-time thread
/// reads. Where there is an event, wait for the event.
///
/// - Parameters:
///   - what: the awaited condition, for the message of a failed test.
///   - limit: far longer than it ever takes, because it only ends a test that fails.
///   - interval: the pause between two evaluations.
///   - isMet: the condition, which may keep its last state for the message.
package func waitUntil(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60),
    every interval: Duration = .milliseconds(2),
    sourceLocation: SourceLocation = #_sourceLocation, _ isMet: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !isMet() {
        try #require(ContinuousClock.now < end, "not within \(limit): \(what())", sourceLocation: sourceLocation)
        try await Task.sleep(for: interval)
    }
}
