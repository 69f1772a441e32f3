import AudioSessionTestKit
package import Testing

/// A test that calls functions that block, as C programs and programs for iOS do.
///
/// It runs on a thread of its own. A blocked thread of Swift's pool is missing for all other tests,
/// and on two processors two such tests would stop them all.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    @concurrent package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OwnThread()) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// Marks a test that calls functions that block.
    package static var blocking: Self { BlockingTrait() }
}
