public import Foundation

/// Observation by methods, in place of selectors, which Linux does not have.
///
/// Replace `selector: #selector(handleRouteChange)` of iOS code by
/// `selector: Player.handleRouteChange`, and remove `@objc`.
extension NotificationCenter {
    /// Calls a method of the observer on the posting thread for as long as the observer exists.
    ///
    /// The center references the observer weakly. ``removeObserver(_:)-method`` or the observer's
    /// deinitialization ends the calls.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, selector method: @escaping (Observer) -> (Notification) -> Void,
        name: Notification.Name?, object: Any?
    ) {
        add(observer, name, object) { method($0)($1) }
    }

    /// Calls a method that takes an `NSNotification`, on the posting thread for as long as the
    /// observer exists.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, selector method: @escaping (Observer) -> (NSNotification) -> Void,
        name: Notification.Name?, object: Any?
    ) {
        add(observer, name, object) { observer, notification in
            method(observer)(
                NSNotification(
                    name: notification.name, object: notification.object, userInfo: notification.userInfo))
        }
    }

    /// Calls a method without parameters on the posting thread for as long as the observer exists.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, selector method: @escaping (Observer) -> () -> Void,
        name: Notification.Name?, object: Any?
    ) {
        add(observer, name, object) { observer, _ in method(observer)() }
    }

    /// Ends all calls of the observer's methods.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer) {
        forget(observer, nil, nil)
        removeObserver(observer as Any, name: nil, object: nil)
    }

    /// Ends the calls of the observer's methods for one notification name and one sender; `nil`
    /// means any.
    public func removeObserver<Observer: AnyObject>(
        _ observer: Observer, name: Notification.Name?, object: Any? = nil
    ) {
        forget(observer, name, object)
        removeObserver(observer as Any, name: name, object: object)
    }

    private func add<Observer: AnyObject>(
        _ observer: Observer, _ name: Notification.Name?, _ object: Any?,
        _ call: @escaping (Observer, Notification) -> Void
    ) {
        let id = ObjectIdentifier(observer)
        let target = Locked(Target(observer: observer, call: call))
        let registration = Locked(WeakRegistration())
        let token = addObserver(forName: name, object: object, queue: nil) { [weak self] notification in
            let (observer, call) = target.withLock { ($0.observer, $0.call) }
            if let observer {
                call(observer, notification)
            } else if let self, let registration = registration.withLock(\.registration) {
                end(registration, of: id)
            }
        }
        let made = Registration(center: self, name: name, sender: Self.identity(object), token: token)
        registration.withLock { $0.registration = made }
        registrations.withLock { $0[id, default: []].append(made) }
    }

    private static func identity(_ object: Any?) -> ObjectIdentifier? {
        object.map { ObjectIdentifier($0 as AnyObject) }
    }

    private func forget(_ observer: AnyObject, _ name: Notification.Name?, _ object: Any?) {
        let (id, sender) = (ObjectIdentifier(observer), Self.identity(object))
        let ended = registrations.withLock { registrations in
            let own = registrations[id] ?? []
            let ended = own.filter {
                $0.center === self && (name == nil || $0.name == name) && (sender == nil || $0.sender == sender)
            }
            let left = own.filter { registration in !ended.contains { $0 === registration } }
            registrations[id] = left.isEmpty ? nil : left
            return ended
        }
        for registration in ended { removeObserver(registration.token as Any, name: nil, object: nil) }
    }

    private func end(_ registration: Registration, of id: ObjectIdentifier) {
        registrations.withLock { registrations in
            registrations[id]?.removeAll { $0 === registration }
            if registrations[id]?.isEmpty == true { registrations[id] = nil }
        }
        removeObserver(registration.token as Any, name: nil, object: nil)
    }
}

private struct Target<Observer: AnyObject> {
    weak var observer: Observer?
    let call: (Observer, Notification) -> Void
}

/// A registration with a center. The center holds the token, whose block must hold neither.
private final class Registration {
    weak let center: NotificationCenter?
    let name: Notification.Name?
    let sender: ObjectIdentifier?
    let token: any NSObjectProtocol

    init(
        center: NotificationCenter, name: Notification.Name?, sender: ObjectIdentifier?, token: any NSObjectProtocol
    ) {
        self.center = center
        self.name = name
        self.sender = sender
        self.token = token
    }
}

private struct WeakRegistration { weak var registration: Registration? }

private let registrations = Locked<[ObjectIdentifier: [Registration]]>([:])
