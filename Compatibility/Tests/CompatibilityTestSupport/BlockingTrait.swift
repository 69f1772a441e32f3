package import Testing

@testable import AudioSessionTestKit

/// A test that calls functions that block, as programs for iOS do.
///
/// It runs on a thread of its own, because a thread of Swift's pool that it blocked would be
/// missing for all other tests.
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
    /// Calls functions that block.
    package static var blocking: Self { BlockingTrait() }
}
