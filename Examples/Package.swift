// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of the library do not fetch dependencies of the examples.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let library: [Target.Dependency] = [
    .product(name: "AudioSessions", package: "AudioSessions"),
    .product(name: "AudioSessionPlayback", package: "AudioSessions"),
]
let testKit = Target.Dependency.product(name: "AudioSessionTestKit", package: "AudioSessions")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "AudioSessionsExamples",
    products: [
        .executable(name: "hello-session", targets: ["HelloSession"]),
        .executable(name: "music-player", targets: ["MusicPlayer"]),
        .executable(name: "navigation-prompt", targets: ["NavigationPrompt"]),
        .executable(name: "sound-board", targets: ["SoundBoard"]),
        .executable(name: "synth", targets: ["Synth"]),
        .executable(name: "voice-call", targets: ["VoiceCall"]),
        .executable(name: "voice-chat", targets: ["VoiceChat"]),
        .executable(name: "voice-recorder", targets: ["VoiceRecorder"]),
    ],
    dependencies: [
        .package(name: "AudioSessions", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        // It also has its own Package.swift, because users copy it. Tests build it with the others.
        .executableTarget(
            name: "HelloSession", dependencies: library, path: "hello-session/Sources", swiftSettings: strict),
        .executableTarget(
            name: "MusicPlayer",
            dependencies: library + [
                .product(name: "AudioSessionDesktop", package: "AudioSessions"), arguments, "ExampleSupport",
            ], path: "music-player/Sources", swiftSettings: strict),
        // The shared parts of the examples: generated sounds, texts and waiting.
        .target(
            name: "ExampleSupport", dependencies: library, path: "support/Sources", swiftSettings: strict),
        .executableTarget(
            name: "NavigationPrompt", dependencies: library + ["ExampleSupport", arguments],
            path: "navigation-prompt/Sources", swiftSettings: strict),
        .executableTarget(
            name: "SoundBoard", dependencies: library + ["ExampleSupport", arguments], path: "sound-board/Sources",
            swiftSettings: strict),
        // The part on the real-time thread is in C.
        .target(name: "CStrings", path: "synth/CStrings", linkerSettings: [.linkedLibrary("m")]),
        .executableTarget(
            name: "Synth", dependencies: library + ["CStrings", "ExampleSupport", arguments], path: "synth/Sources",
            swiftSettings: strict),
        .executableTarget(
            name: "VoiceCall", dependencies: library + ["ExampleSupport", arguments], path: "voice-call/Sources",
            swiftSettings: strict),
        .executableTarget(
            name: "VoiceChat", dependencies: library + ["ExampleSupport", arguments], path: "voice-chat/Sources",
            swiftSettings: strict),
        .executableTarget(
            name: "VoiceRecorder", dependencies: library + ["ExampleSupport", arguments],
            path: "voice-recorder/Sources", swiftSettings: strict),
        .target(name: "ExampleTestSupport", path: "Tests/Support", swiftSettings: strict),
        .testTarget(
            name: "MusicPlayerTests", dependencies: library + ["MusicPlayer", "ExampleTestSupport", testKit],
            swiftSettings: strict),
        .testTarget(
            name: "SessionExampleTests",
            dependencies: library + [
                "ExampleSupport", "ExampleTestSupport", "HelloSession", "MusicPlayer", "NavigationPrompt",
                "SoundBoard", "Synth", "VoiceCall", "VoiceChat", "VoiceRecorder", testKit,
            ],
            swiftSettings: strict),
    ]
)
