/// A token history, with the expected state after each step.
struct ProtocolVector: Decodable {
    let name: String
    let steps: [Step]

    /// A step, in the form that `Protocol/README.md` describes.
    struct Step: Decodable {
        let connect: Connection?
        let disconnect: Bool?
        let client: UInt32?
        let object: UInt32?
        let serial: UInt64?
        let properties: [String: String]?
        let removed: UInt32?
        let open: String?
        let activate: String?
        let deactivate: String?
        let configure: String?
        let traits: String?
        let notify: Bool?
        let background: Bool?
        let silent: String?
        let routeLost: String?
        let lost: Bool?
        let wait: Int?
        let hold: Bool?
        let `repeat`: Int?
        let read: [String: String]?
        let of: [String: String]?
        let then: State?
    }

    struct Connection: Decodable {
        let cookie: UInt32
        let client: UInt32
    }

    struct State: Decodable, Equatable {
        var stack: [Standing]?
        var events: [Event]?
        var publish: [String]?
        var marks: Marks?
        var reading: Reading?
    }

    struct Standing: Decodable, Equatable {
        var session: String
        var process: String
        var state: String
        var by: [String]?
        var gain: UInt16?
    }

    struct Event: Decodable, Equatable {
        var session: String
        var event: String
        var by: String?
        var shouldResume: Bool?
        var gain: UInt16?
        var reason: String?
    }

    struct Marks: Decodable, Equatable {
        var gain: UInt16?
        var mutes: [String]?
        var hosts: [Int]?
    }

    struct Reading: Decodable, Equatable {
        var kind: String
        var session: String?
        var number: UInt32?
        var payload: String?
        var counts: Bool?
    }
}
