import AVFAudio
import Testing

@testable import AudioSessionTestKit

/// Methods in place of selectors.
@Suite struct MethodObserverTests {
    private final class Observer {
        let received: EventLog<String>

        init(_ received: EventLog<String>) { self.received = received }

        func heard(_ notification: Notification) { received.append(notification.name.rawValue) }
        func rang() { received.append("rang") }
        func heardLongAgo(_ notification: NSNotification) {
            received.append("\(notification.name.rawValue) \(notification.userInfo?["reason"] as? UInt ?? 0)")
        }
    }

    private let center = NotificationCenter()
    private let a = Notification.Name("a")
    private let b = Notification.Name("b")

    @Test func itIsCalledUntilItIsRemoved() {
        let received = EventLog<String>()
        let observer = Observer(received)
        center.addObserver(observer, selector: Observer.heard, name: a, object: nil)
        center.addObserver(observer, selector: Observer.rang, name: b, object: nil)
        center.post(name: a, object: nil)
        center.post(name: b, object: nil)
        #expect(received.events == ["a", "rang"])
        center.removeObserver(observer, name: a, object: nil)
        center.post(name: a, object: nil)
        center.post(name: b, object: nil)
        #expect(received.events == ["a", "rang", "rang"])
        center.removeObserver(observer)
        center.post(name: b, object: nil)
        #expect(received.events.count == 3)
    }

    /// Methods that were written for Swift 2.
    @Test func aMethodMayTakeTheClass() {
        let received = EventLog<String>()
        let observer = Observer(received)
        center.addObserver(observer, selector: Observer.heardLongAgo, name: a, object: nil)
        center.post(name: a, object: nil, userInfo: ["reason": NSNumber(value: 2 as UInt)])
        #expect(received.events == ["a 2"])
        center.removeObserver(observer)
        center.post(name: a, object: nil)
        #expect(received.events == ["a 2"])
    }

    @Test func itIsNotKeptAlive() {
        let received = EventLog<String>()
        var observer: Observer? = Observer(received)
        weak let kept = observer
        center.addObserver(observer!, selector: Observer.heard, name: a, object: nil)
        observer = nil
        #expect(kept == nil)
        center.post(name: a, object: nil)
        #expect(received.events == [])
    }

    @Test func onlyTheRightSenderIsHeard() {
        let received = EventLog<String>()
        let observer = Observer(received)
        let sender = NSObject()
        center.addObserver(observer, selector: Observer.heard, name: nil, object: sender)
        center.post(name: a, object: NSObject())
        center.post(name: b, object: sender)
        #expect(received.events == ["b"])
    }

    @Test func removingOneSenderKeepsTheOther() {
        let received = EventLog<String>()
        let observer = Observer(received)
        let (first, second) = (NSObject(), NSObject())
        for sender in [first, second] {
            center.addObserver(observer, selector: Observer.heard, name: a, object: sender)
        }
        center.removeObserver(observer, name: a, object: first)
        center.post(name: a, object: first)
        #expect(received.events == [])
        center.post(name: a, object: second)
        #expect(received.events == ["a"])
        center.removeObserver(observer, name: nil, object: second)
        center.post(name: a, object: second)
        #expect(received.events == ["a"])
    }

    @Test func neitherTheSenderNorTheCenterIsKept() {
        let observer = Observer(EventLog())
        var center: NotificationCenter? = NotificationCenter()
        var sender: NSObject? = NSObject()
        weak let keptCenter = center
        weak let keptSender = sender
        center?.addObserver(observer, selector: Observer.heard, name: a, object: sender)
        center?.removeObserver(observer)
        (center, sender) = (nil, nil)
        #expect(keptCenter == nil)
        #expect(keptSender == nil)
    }
}
