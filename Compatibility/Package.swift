// swift-tools-version: 6.2
import PackageDescription

// This is a package of its own because its modules have Apple's names. A program that uses the
// library resolves and compiles none of it.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let sessions = Target.Dependency.product(name: "AudioSessions", package: "AudioSessions")
let playback = Target.Dependency.product(name: "AudioSessionPlayback", package: "AudioSessions")
let desktop = Target.Dependency.product(name: "AudioSessionDesktop", package: "AudioSessions")
let testKit = Target.Dependency.product(name: "AudioSessionTestKit", package: "AudioSessions")

let package = Package(
    name: "AudioSessionsCompatibility",
    products: [
        .library(name: "AVFAudioCompat", targets: ["AVFAudio", "AVFoundation", "AudioToolbox"]),
        .library(name: "MediaPlayerCompat", targets: ["MediaPlayer"]),
    ],
    dependencies: [
        .package(name: "AudioSessions", path: "..")
    ],
    targets: [
        .target(name: "AVFAudio", dependencies: [sessions, playback], swiftSettings: strict),
        .target(name: "AVFoundation", dependencies: ["AVFAudio", "AudioToolbox"], swiftSettings: strict),
        .target(name: "AudioToolbox", dependencies: ["AVFAudio"], swiftSettings: strict),
        .target(name: "MediaPlayer", dependencies: ["AVFAudio", desktop], swiftSettings: strict),
        // A link to the library's target, which is no product. It has another name because the
        // packages share a build folder.
        .target(name: "CCompatibilityTestShelter", path: "Tests/CTestShelter"),
        // Shared by several test targets. It has no tests, but only test targets can import Testing
        // in every build, and only tests may use internals of the test kit.
        .testTarget(
            name: "CompatibilityTestSupport", dependencies: [testKit, "CCompatibilityTestShelter"],
            swiftSettings: strict),
        // Code in the style of programs for iOS.
        .testTarget(
            name: "AppShapes", dependencies: ["AVFoundation", "AudioToolbox", "MediaPlayer", testKit],
            swiftSettings: strict),
        .testTarget(
            name: "AVFAudioTests",
            dependencies: [
                "AVFAudio", "AVFoundation", "AudioToolbox", "MediaPlayer", "AppShapes", "CompatibilityTestSupport",
                sessions, playback, desktop, testKit,
            ], swiftSettings: strict),
        .testTarget(
            name: "AVFAudioLiveTests",
            dependencies: [
                "AVFAudio", "AVFoundation", "AppShapes", "CompatibilityTestSupport", sessions, testKit,
            ], swiftSettings: strict),
    ]
)

// Swift 6.2 cannot implement what a header declares, so it has no library for C.
#if compiler(>=6.3)
    package.products.append(
        .library(name: "AudioToolboxCompat", type: .dynamic, targets: ["CAudioToolbox"]))
    package.targets += [
        // The audio session of iPhone OS 3, in C, over the library for C.
        .target(
            name: "CAudioToolbox", dependencies: [.product(name: "AudioSessionC", package: "AudioSessions")]),
        .testTarget(
            name: "CAudioToolboxLiveTests", dependencies: ["CompatibilityTestSupport", testKit],
            exclude: ["Programs"], swiftSettings: strict),
    ]
#endif
