/// A key of a terminal, as far as this program knows keys.
enum Key: Sendable, Hashable {
    case character(Character)
    case up, down, left, right
}

/// Makes keys of the bytes that a terminal sends. A key may come in pieces, and most are of no interest here.
struct KeyDecoder: Sendable {
    private enum State {
        case ground
        /// After the escape character. A lone escape key is one, too: then the next byte is a key of its own.
        case escape
        /// Within a sequence of the form that arrows have, also with shift and the like.
        case sequence
        /// After `ESC O`, as which arrows come in a terminal's application mode.
        case single
    }
    private var state = State.ground

    mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] { bytes.compactMap { decode($0) } }

    private mutating func decode(_ byte: UInt8) -> Key? {
        // Escape begins anew wherever it comes.
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
