import Testing

/// Asks every 2 ms, for at most 10 s: for what is told to nobody, such as what is muted, and what the real-time thread sees.
func until(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(10)
    while await !condition() {
        try #require(ContinuousClock.now < end, "in vain: \(what)", sourceLocation: sourceLocation)
        try await Task.sleep(for: .milliseconds(2))
    }
}
