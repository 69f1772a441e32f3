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

    /// Calls a method without parameters on the posting thread for as long as the observer exists.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, selector method: @escaping (Observer) -> () -> Void,
        name: Notification.Name?, object: Any?
    ) {
        add(observer, name, object) { observer, _ in method(observer)() }
    }

    /// Ends all calls of the observer's methods.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer) {
        forget(observer) { _ in true }
        removeObserver(observer as Any, name: nil, object: nil)
    }

    /// Ends the calls of the observer's methods for one notification name; `nil` means any name.
    public func removeObserver<Observer: AnyObject>(
        _ observer: Observer, name: Notification.Name?, object: Any? = nil
    ) {
        forget(observer) { name == nil || $0 == name }
        removeObserver(observer as Any, name: name, object: object)
    }

    private func add<Observer: AnyObject>(
        _ observer: Observer, _ name: Notification.Name?, _ object: Any?,
        _ call: @escaping (Observer, Notification) -> Void
    ) {
        let id = ObjectIdentifier(observer)
        let target = Locked(Target(observer: observer, call: call))
        let registration = Locked<Registration?>(nil)
        let token = addObserver(forName: name, object: object, queue: nil) { [weak self] notification in
            let (observer, call) = target.withLock { ($0.observer, $0.call) }
            if let observer {
                call(observer, notification)
            } else if let self, let registration = registration.withLock(\.self) {
                end(registration, of: id)
            }
        }
        let made = Registration(center: self, name: name, token: token)
        registration.withLock { $0 = made }
        registrations.withLock { $0[id, default: []].append(made) }
    }

    private func forget(_ observer: AnyObject, where isMeant: (Notification.Name?) -> Bool) {
        let id = ObjectIdentifier(observer)
        let ended = registrations.withLock { registrations in
            let own = registrations[id] ?? []
            let ended = own.filter { $0.center === self && isMeant($0.name) }
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

private final class Registration {
    let center: NotificationCenter
    let name: Notification.Name?
    let token: any NSObjectProtocol

    init(center: NotificationCenter, name: Notification.Name?, token: any NSObjectProtocol) {
        self.center = center
        self.name = name
        self.token = token
    }
}

private let registrations = Locked<[ObjectIdentifier: [Registration]]>([:])
