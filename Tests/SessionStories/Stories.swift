/// All stories, grouped by subject.
package enum Stories {
    package struct Group: Sendable, CustomStringConvertible {
        package let name: String
        package let stories: [Story]
        package var description: String { name }
    }

    package static let groups = [
        Group(name: "exclusive", stories: exclusive), Group(name: "mixing", stories: mixing),
        Group(name: "ducking", stories: ducking), Group(name: "spoken", stories: spoken),
        Group(name: "silence", stories: silence), Group(name: "nesting", stories: nesting),
        Group(name: "priorities", stories: priorities), Group(name: "crashes", stories: crashes),
        Group(name: "others", stories: others),
    ]

    package static let all = groups.flatMap(\.stories)
}
