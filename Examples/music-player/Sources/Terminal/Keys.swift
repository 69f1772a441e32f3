/// A key of a terminal that this program knows.
enum Key: Sendable, Hashable {
    case character(Character)
    case up, down, left, right
}

/// Decodes keys from the bytes of a terminal. A key may arrive in pieces, and most are ignored.
struct KeyDecoder: Sendable {
    private enum State {
        case ground
        /// After the escape character. The escape key alone sends it too, and then the next byte is
        /// a key of its own.
        case escape
        /// Within a sequence of the form that arrows have, also with shift and other modifiers.
        case sequence
        /// After `ESC O`, which begins arrows in a terminal's application mode.
        case single
    }
    private var state = State.ground

    mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] { bytes.compactMap { decode($0) } }

    private mutating func decode(_ byte: UInt8) -> Key? {
        // Escape always starts a new sequence.
        if byte == 0x1B {
            state = .escape
            return nil
        }
        switch state {
        case .ground:
            return byte >= 0x20 && byte < 0x7F ? .character(Character(Unicode.Scalar(byte))) : nil
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .sequence
            case UInt8(ascii: "O"): state = .single
            default:
                state = .ground
                return decode(byte)
            }
            return nil
        case .sequence:
            guard byte >= 0x40 && byte < 0x7F else { return nil }
            state = .ground
            return arrow(byte)
        case .single:
            state = .ground
            return arrow(byte)
        }
    }

    private func arrow(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: nil
        }
    }
}

extension Command {
    init?(_ key: Key) {
        switch key {
        case .character(" "): self = .playOrPause
        case .character("n"): self = .next
        case .character("p"): self = .previous
        case .character("q"): self = .quit
        case .character("+"), .character("="), .up: self = .changeVolume(5)
        case .character("-"), .down: self = .changeVolume(-5)
        case .right: self = .seek(.seconds(5))
        case .left: self = .seek(.seconds(-5))
        case .character: return nil
        }
    }
}
