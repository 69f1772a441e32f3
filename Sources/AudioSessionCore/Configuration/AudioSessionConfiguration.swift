/// What a session's sound is for: all that decides how it and others get along, and where it may go.
///
/// A value. It may hold any combination, a legal one or not; ``validate()`` tells, and a session takes no illegal one.
///
///     let prompts = AudioSession.Configuration(.playback, mode: .voicePrompt, options: .duckOthers)
///
/// The values have the names and numbers of `AVAudioSession`. What has no meaning outside of Apple's devices is not
/// here: using it does not compile, and the compiler says why.
public struct AudioSessionConfiguration: Sendable, Hashable {
    /// The kind of sound. Set by ``setCategory(_:mode:policy:options:)``, for it decides what the rest may be.
    public private(set) var category: Category
    /// What the category is used for in particular.
    public var mode: Mode
    /// The options that were set. Those in force are ``effectiveOptions``.
    public var options: CategoryOptions
    /// Whose way the sound goes.
    public var routeSharingPolicy: RouteSharingPolicy
    /// The priority that was declared. The one in force is ``effectivePriority``. Not on Apple's list.
    public var priority: Priority
    /// Sessions of one group never act on one another; `nil` is the group of this process. Not on Apple's list.
    public var group: String?

    /// A session that was never configured has all defaults: it plays, alone, and follows the silent mode.
    public init(
        _ category: Category = .soloAmbient, mode: Mode = .default, policy: RouteSharingPolicy = .default,
        options: CategoryOptions = [], priority: Priority = .media, group: String? = nil
    ) {
        self.category = category
        self.mode = mode
        self.options = options
        self.routeSharingPolicy = policy
        self.priority = priority
        self.group = group
    }

    /// Sets a category, and with it the mode, the policy and the options: **none of them is kept** if it is left
    /// out. Priority and group say who the program is, and stay.
    public mutating func setCategory(
        _ category: Category, mode: Mode = .default, policy: RouteSharingPolicy = .default,
        options: CategoryOptions = []
    ) {
        self = Self(category, mode: mode, policy: policy, options: options, priority: priority, group: group)
    }

    /// Becomes another configuration, if that is legal. If it is not, nothing changes.
    ///
    /// - Returns: whether anything is different now; for the same configuration again there is nothing to do.
    package mutating func replace(with new: Self) throws(AudioSessionError) -> Bool {
        guard new != self else { return false }
        try new.validate()
        self = new
        return true
    }
}
