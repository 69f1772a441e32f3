import AudioSessionCore

/// Stories that programs can tell which are driven by words, with one session each.
extension Story {
    /// Why they cannot tell this one.
    package enum Obstacle: Sendable, Hashable, CaseIterable {
        /// Two sessions in one process.
        case sharedProcess
        /// There is nothing to say it with: how deep to duck, or that no group is meant any more.
        case wordless
        /// What is one change takes them two commands.
        case severalCommands
        /// A port would have to be lost.
        case route
        /// A daemon that goes takes the next story with it.
        case daemon
        /// A moment more precise than seconds.
        case moment
    }

    /// Whether time passes between two of its steps.
    package var waits: Bool { steps.contains { if case .time = $0 { true } else { false } } }

    /// `nil` if they can.
    package var obstacle: Obstacle? {
        if roles.contains(where: { $0.housemate != nil }) { return .sharedProcess }
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
    /// What `audiosession run` begins with.
    package static var initial: StoryKind { StoryKind("solo") }

    /// What tells it to change from `old` to this; `nil` if nothing can.
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
