import Foundation
import Testing

@testable import AudioSessionCore

/// A program that runs a vector, and PipeWire as far as it concerns the program's own tokens.
struct ProtocolVectorRun {
    private var machine = ArbitrationStateMachine()
    private var now = MonotonicTime(nanoseconds: 0)
    private var wake: MonotonicTime?
    private var clients: [ObjectID: Client] = [:]
    private var own: ProtocolVector.Connection?
    private var highestSerial: UInt64 = 0
    /// Whether PipeWire has numbered the program's objects but shows none of them.
    private var isHeld = false
    private var isSilentMode = false
    private var marks = ProgramMarks()
    private var objects: [TokenName: UInt64] = [:]
    private var messages: [Message] = []
    private var requestCount: UInt64 = 0
    /// The requests whose failure is an event. A deactivation is carried out in any case.
    private var requests: [ArbitrationRequestID: AudioSessionID] = [:]
    private var events: [ProtocolVector.Event] = []
    private var payloads: [String] = []

    private enum Message {
        case create(TokenContents, serial: UInt64)
        case destroy(TokenName)
        case barrier(TokenName)
    }

    /// Performs a step, all that follows from it, and all that is due.
    mutating func perform(_ step: ProtocolVector.Step) throws -> ProtocolVector.State {
        (events, payloads) = ([], [])
        if let properties = step.read { return .init(reading: Self.reading(properties, of: step.of ?? [:])) }
        if let isHeld = step.hold { self.isHeld = isHeld }
        for index in 0..<(step.repeat ?? 1) {
            try send(step, index)
            deliver()
        }
        let end = now + .milliseconds(step.wait ?? 0)
        while let time = wake, time <= end { pass(to: max(now, time)) }
        if step.wait != nil { pass(to: end) }
        return .init(
            stack: standings, events: events.isEmpty ? nil : events, publish: payloads.isEmpty ? nil : payloads,
            marks: marksWithEffect)
    }

    private mutating func pass(to time: MonotonicTime) {
        now = time
        wake = nil
        receive(.deadline)
        deliver()
    }

    private mutating func send(_ step: ProtocolVector.Step, _ index: Int) throws {
        if let connection = step.connect {
            if connection.cookie != own?.cookie { highestSerial = 0 }
            own = connection
            isSilentMode = false
            receive(.connected(cookie: connection.cookie, owner: owner(connection.client)))
        } else if let object = step.object {
            try appear(step, ObjectID(object + UInt32(index)), index)
        } else if let client = step.client {
            clients[ObjectID(client)] = Self.client(client, step.properties ?? [:])
        } else if let object = step.removed {
            marks.disappeared(ObjectID(object + UInt32(index)))
            receive(.vanished(ObjectID(object + UInt32(index))))
        } else if step.disconnect != nil {
            (objects, isHeld, marks) = ([:], false, ProgramMarks())
            receive(.disconnected)
            messages = []
        } else if let isInBackground = step.background {
            receive(.background(isInBackground))
        } else if let value = step.silent {
            isSilentMode = SilentMode.isOn(value)
            receive(.silentMode(isSilentMode))
        } else {
            try request(step)
        }
    }

    private mutating func appear(_ step: ProtocolVector.Step, _ object: ObjectID, _ index: Int) throws {
        let digits = String(index)
        let number = String(repeating: "0", count: 12 - digits.count) + digits
        let texts = try #require(step.properties).mapValues { $0.replacingOccurrences(of: "{n}", with: number) }
        guard let first = step.serial else { return }
        let serial = first + UInt64(index)
        highestSerial = max(highestSerial, serial)
        guard let client = step.client else { return }
        let identity = TokenIdentity(object: object, serial: serial, owner: owner(client))
        var properties = Self.properties(texts)
        properties[.clientID] = String(client)
        marks.disappeared(object)
        marks.appeared(object, properties, clients)
        receive(.appeared(identity, properties))
    }

    private mutating func request(_ step: ProtocolVector.Step) throws {
        if let session = step.open {
            receive(.opened(try Self.session(session), try Self.traits(step)))
        } else if let session = step.routeLost {
            receive(.stoppedByRouteLoss(step.lost ?? false, try Self.session(session)))
        } else if let session = step.activate {
            request(.activate, try Self.session(session))
        } else if let session = step.deactivate {
            request(.deactivate(notify: step.notify ?? false), try Self.session(session))
        } else if let session = step.configure {
            request(.configure(try Self.traits(step)), try Self.session(session))
        }
    }

    private mutating func request(_ request: ArbitrationRequest, _ session: AudioSessionID) {
        requestCount += 1
        let id = ArbitrationRequestID(requestCount)
        if case .deactivate = request {} else { requests[id] = session }
        receive(.requested(request, session, id))
    }

    private mutating func receive(_ input: ArbitrationInput) {
        for action in machine.receive(input, now: now) {
            switch action {
            case .create(let contents):
                highestSerial += 1
                objects[contents.name] = highestSerial
                payloads.append(contents.announcement.payload)
                messages.append(.create(contents, serial: highestSerial))
            case .destroy(let name): messages.append(.destroy(name))
            case .barrier(let name): messages.append(.barrier(name))
            case .wake(let time): wake = time
            case .notify(let event, let session): note(event, session.description)
            case .answer(let id, let failure):
                guard let failure, let session = requests[id] else { continue }
                let (reason, by) = Self.words(failure)
                events.append(.init(session: session.description, event: "refused", by: by, reason: reason))
            }
        }
    }

    /// Lets PipeWire read the program's messages, in their order.
    private mutating func deliver() {
        while !isHeld, !messages.isEmpty {
            switch messages.removeFirst() {
            case .create(let contents, let serial):
                guard let client = own?.client else { continue }
                let identity = TokenIdentity(
                    object: ObjectID(UInt32(serial)), serial: serial, owner: owner(client))
                receive(.appeared(identity, contents.announcement.properties()))
                receive(.echoed(contents.name))
            case .destroy(let name):
                if let serial = objects.removeValue(forKey: name) { receive(.vanished(ObjectID(UInt32(serial)))) }
            case .barrier(let name): receive(.echoed(name))
            }
        }
    }

    private mutating func note(_ event: ArbitrationEvent, _ session: String) {
        switch event {
        case .activated: events.append(.init(session: session, event: "activated"))
        case .deactivated: events.append(.init(session: session, event: "deactivated"))
        case .began(let peer):
            events.append(.init(session: session, event: "began", by: peer.session.description))
        case .ended(let shouldResume, _):
            events.append(.init(session: session, event: "ended", shouldResume: shouldResume))
        case .claimLapsed: events.append(.init(session: session, event: "lapsed"))
        case .placeLost: events.append(.init(session: session, event: "lost"))
        case .ducking(let gain, _): events.append(.init(session: session, event: "gain", gain: gain))
        case .causesChanged, .others: break
        }
    }

    private var standings: [ProtocolVector.Standing] {
        let arbitration = machine.arbitration
        return arbitration.stack.map { entry in
            var standing = ProtocolVector.Standing(
                session: entry.key.session.description, process: Self.text(entry.key.owner), state: "unblocked")
            if entry.isBlocked {
                standing.state = "interrupted"
                standing.by = arbitration.blockers(of: entry.key).map { $0.key.session.description }
            } else if entry.isActive {
                standing.state = "active"
                let isSilenced = isSilentMode && entry.traits.followsSilentMode
                standing.gain = isSilenced ? 0 : arbitration.gain(of: entry.key)
            } else if entry.isAdvised {
                standing.state = "advised"
            }
            return standing
        }
    }

    private var marksWithEffect: ProtocolVector.Marks? {
        let (gain, mutes, hosts) = (marks.gainOfOthers, marks.muteCounts.keys.sorted(), marks.hosts.sorted())
        guard gain != nil || !mutes.isEmpty || !hosts.isEmpty else { return nil }
        return .init(gain: gain, mutes: mutes.isEmpty ? nil : mutes, hosts: hosts.isEmpty ? nil : hosts)
    }

    // MARK: Values

    private func owner(_ number: UInt32) -> TokenOwner {
        let client = clients[ObjectID(number)]
        return TokenOwner(
            client: ObjectID(number), processID: client?.processID, isSandboxed: client?.isSandboxed ?? false)
    }

    private static func client(_ number: UInt32, _ properties: [String: String]) -> Client {
        Client(
            id: ObjectID(number), processID: properties["pipewire.sec.pid"].flatMap { Int($0) },
            access: properties["pipewire.access"], socket: properties["pipewire.sec.socket"])
    }

    private static func properties(_ texts: [String: String]) -> Properties {
        var result = Properties()
        for (name, text) in texts {
            if let key = PropertyKey(rawValue: name) { result[key] = text }
        }
        return result
    }

    private static func session(_ text: String) throws -> AudioSessionID { try #require(AudioSessionID(text)) }

    /// The traits of a step, in the words of a payload.
    private static func traits(_ step: ProtocolVector.Step) throws -> TokenTraits {
        let words = try #require(step.traits)
        let session = try session(try #require(step.open ?? step.configure))
        let reading = TokenContents.read([
            .sessionName: TokenName(session, 1).description, .sessionToken: "1;state=standing;" + words,
        ])
        guard case .token(let contents) = reading else {
            throw ProtocolVectorError(text: "no traits: \(words)")
        }
        return contents.traits
    }

    private static func text(_ process: TokenOwner.Process) -> String {
        switch process {
        case .id(let id): "\(id)"
        case .client(let client): "client \(client)"
        }
    }

    private static func words(_ failure: ActivationFailure) -> (reason: String, by: String?) {
        switch failure {
        case .insufficientPriority(let peer): ("insufficientPriority", peer.session.description)
        case .cannotInterruptOthers: ("cannotInterruptOthers", nil)
        case .mediaServicesFailed: ("mediaServicesFailed", nil)
        case .timedOut: ("timedOut", nil)
        case .tokenNotMade: ("tokenNotMade", nil)
        case .tooManyTokens: ("tooManyTokens", nil)
        case .tooManyRequests: ("tooManyRequests", nil)
        case .noSuchSession: ("noSuchSession", nil)
        }
    }

    /// Returns what an object with these properties is.
    private static func reading(
        _ texts: [String: String], of clientTexts: [String: String]
    ) -> ProtocolVector.Reading {
        let properties = properties(texts)
        switch TokenContents.read(properties) {
        case .token(let contents):
            return .init(
                kind: "token", session: contents.name.session.description, number: contents.name.number,
                payload: contents.announcement.payload)
        case .malformed: return .init(kind: "malformed")
        case .noToken: break
        }
        let client = client(0, clientTexts)
        func mark(_ announcement: Announcement, counts: Bool? = nil) -> ProtocolVector.Reading {
            .init(kind: "mark", payload: announcement.payload, counts: counts ?? !client.isSandboxed)
        }
        if let found = DuckingMark(properties) { return mark(found.announcement) }
        if let found = MutingMark(properties) { return mark(found.announcement) }
        if let found = HostingMark(properties) { return mark(found.announcement, counts: found.counts(of: client)) }
        if let found = CardMark(properties) { return mark(found.announcement(named: "")) }
        return .init(kind: "none")
    }
}

private struct ProtocolVectorError: Error {
    let text: String
}
