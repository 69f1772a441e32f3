public import Foundation

extension NotificationCenter {
    /// Returns a sequence of the notifications of a name.
    ///
    /// Foundation has it on Apple's systems only. Each loop receives the notifications that are
    /// posted after it began. A loop that does not keep up loses the oldest beyond 64.
    ///
    /// - Parameters:
    ///   - name: the name of the notifications.
    ///   - object: the sender; `nil` for any.
    public func notifications(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// Notifications as an asynchronous sequence.
    public final class Notifications: AsyncSequence, Sendable {
        public typealias Element = Notification
        public typealias Failure = Never

        private let observe: @Sendable (@escaping @Sendable (Notification) -> Void) -> Observation

        init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
            let center = Locked(center)
            observe = { receive in
                let center = center.withLock(\.self)
                let token = center.addObserver(forName: name, object: object, queue: nil, using: receive)
                return Observation(center: center, token: token)
            }
        }

        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream.makeStream(of: Box.self, bufferingPolicy: .bufferingNewest(64))
            let observation = observe { continuation.yield(Box(notification: $0)) }
            return Iterator(stream: stream.makeAsyncIterator(), observation: observation)
        }

        /// A notification on its way from the thread that posts it. It is not Sendable, because its
        /// dictionary may contain anything.
        struct Box: Sendable {
            nonisolated(unsafe) let notification: Notification
        }

        /// A registration, which ends with the iterator.
        final class Observation {
            private let center: NotificationCenter
            private let token: any NSObjectProtocol

            init(center: NotificationCenter, token: any NSObjectProtocol) {
                self.center = center
                self.token = token
            }

            deinit { center.removeObserver(token as Any, name: nil, object: nil) }
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Notification
            public typealias Failure = Never

            var stream: AsyncStream<Box>.Iterator
            let observation: Observation

            /// Returns the next notification; `nil` if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Notification? {
                await stream.next(isolation: actor)?.notification
            }

            /// Returns the next notification; `nil` if the task is cancelled.
            public mutating func next() async -> Notification? { await next(isolation: #isolation) }
        }
    }
}
