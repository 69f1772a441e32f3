@testable import AudioSessionCore

extension Arbitration {
    /// Makes the stack of tokens that are all granted, in any order.
    init(granted: some Sequence<Token>, cookie: UInt32) {
        self.init(cookie: cookie)
        for token in granted.sorted(by: { $0.serial < $1.serial }) {
            claim(token)
            replace(token.key, with: token)
        }
    }
}
