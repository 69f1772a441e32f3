/// The string of each key: the letters are placed like the keys of a piano, from C to the next C.
enum Keyboard {
    static let keys: [Character] = ["a", "w", "s", "e", "d", "f", "t", "g", "y", "h", "u", "j", "k"]

    static func string(of key: Character) -> Int32? { keys.firstIndex(of: key).map(Int32.init) }

    static let help = """
         w e   t y u
        a s d f g h j k    strings from C to C · l latency · q quits
        """
}
