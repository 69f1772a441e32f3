import AVFAudio
import Testing

@testable import AudioSessionTestKit

/// Methods in place of selectors.
@Suite struct MethodObserverTests {
    private final class Observer {
        let told: EventLog<String>

        init(_ told: EventLog<String>) { self.told = told }

        func heard(_ notification: Notification) { told.append(notification.name.rawValue) }
        func rang() { told.append("rang") }
    }

    private let center = NotificationCenter()
    private let a = Notification.Name("a")
    private let b = Notification.Name("b")

    @Test func itIsCalledUntilItIsRemoved() {
        let told = EventLog<String>()
        let observer = Observer(told)
        center.addObserver(observer, selector: Observer.heard, name: a, object: nil)
        center.addObserver(observer, selector: Observer.rang, name: b, object: nil)
        center.post(name: a, object: nil)
        center.post(name: b, object: nil)
        #expect(told.events == ["a", "rang"])
        center.removeObserver(observer, name: a, object: nil)
        center.post(name: a, object: nil)
        center.post(name: b, object: nil)
        #expect(told.events == ["a", "rang", "rang"])
        center.removeObserver(observer)
        center.post(name: b, object: nil)
        #expect(told.events.count == 3)
    }

    @Test func itIsNotKeptAlive() {
        let told = EventLog<String>()
        var observer: Observer? = Observer(told)
        weak let kept = observer
        center.addObserver(observer!, selector: Observer.heard, name: a, object: nil)
        observer = nil
        #expect(kept == nil)
        center.post(name: a, object: nil)
        #expect(told.events == [])
    }

    @Test func onlyTheRightSenderIsHeard() {
        let told = EventLog<String>()
        let observer = Observer(told)
        let sender = NSObject()
        center.addObserver(observer, selector: Observer.heard, name: nil, object: sender)
        center.post(name: a, object: NSObject())
        center.post(name: b, object: sender)
        #expect(told.events == ["b"])
    }
}
