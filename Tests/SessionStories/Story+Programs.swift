import AudioSessionCore

/// Stories that can be run with programs that read commands, with one session each.
extension Story {
    /// Why programs cannot run this one.
    package enum Obstacle: Sendable, Hashable, CaseIterable {
        /// Two sessions in one process.
        case sharedProcess
        /// No command exists for a step: the depth of a duck, or leaving a group.
        case wordless
        /// One change of the story takes two commands.
        case severalCommands
        /// The story loses a port.
        case route
        /// A daemon that ends affects the next story.
        case daemon
        /// A time more precise than seconds.
        case moment
    }

    /// Whether time passes between two of its steps.
    package var waits: Bool { steps.contains { if case .time = $0 { true } else { false } } }

    /// The obstacle, or `nil` if programs can run the story.
    package var obstacle: Obstacle? {
        if roles.contains(where: { $0.sameProcessAs != nil }) { return .sharedProcess }
        if roles.contains(where: { $0.kind.commands(after: .initial) == nil }) { return .wordless }
        var kinds = Dictionary(uniqueKeysWithValues: roles.map { ($0.name, $0.kind) })
        for step in steps {
            if let obstacle = Self.obstacle(to: step, kinds) { return obstacle }
            if case .configure(let name, let kind) = step { kinds[name] = kind }
        }
        return nil
    }

    private static func obstacle(to step: StoryStep, _ kinds: [String: StoryKind]) -> Obstacle? {
        switch step {
        case .configure(let name, let kind):
            guard let old = kinds[name], let commands = kind.commands(after: old) else { return .wordless }
            return commands.count > 1 ? .severalCommands : nil
        case .routeLoss: return .route
        case .daemon: return .daemon
        case .time(let duration): return duration.components.attoseconds == 0 ? nil : .moment
        default: return nil
        }
    }
}

extension StoryKind {
    /// The first commands of `audiosession run`.
    package static var initial: StoryKind { StoryKind("solo") }

    /// The commands for a change from `old` to this; `nil` if there are none.
    package func commands(after old: StoryKind) -> [String]? {
        let (new, former) = (configuration, old.configuration)
        guard duckedGain == nil, new.group != nil || former.group == nil else { return nil }
        var commands: [String] = []
        if (new.category, new.mode) != (former.category, former.mode) || new.options != former.options {
            let options = new.options.names
            commands.append(
                "category \(new.category.name) mode=\(new.mode.name)"
                    + (options.isEmpty ? "" : " options=\(options.joined(separator: ","))"))
        }
        if new.priority != former.priority { commands.append("priority \(new.priority.rawValue)") }
        if let group = new.group, group != former.group { commands.append("group \(group)") }
        return commands
    }
}
