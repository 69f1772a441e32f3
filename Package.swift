// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "AudioSessions",
    products: [
        .library(name: "AudioSessions", targets: ["AudioSessions"]),
        .library(name: "AudioSessionPlayback", targets: ["AudioSessionPlayback"]),
        .library(name: "AudioSessionFoundation", targets: ["AudioSessionFoundation"]),
        .library(name: "AudioSessionDesktop", targets: ["AudioSessionDesktop"]),
        .library(name: "AudioSessionTestKit", targets: ["AudioSessionTestKit"]),
        .executable(name: "audiosession", targets: ["audiosession"]),
        .executable(name: "audiosession-simulate", targets: ["audiosession-simulate"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        .systemLibrary(
            name: "CPipeWire", pkgConfig: "libpipewire-0.3", providers: [.apt(["libpipewire-0.3-dev"])]),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CProcess"),
        .target(
            name: "CPipeWireShim", dependencies: ["CPipeWire", "CProcess"], cSettings: [.headerSearchPath(".")]),
        .target(name: "CTestKit"),
        .target(
            name: "AudioSessionCore",
            swiftSettings: strict + [.strictMemorySafety()],
            // On some processors, numbers are rounded by a function of this library.
            linkerSettings: [.linkedLibrary("m")]),
        .target(
            name: "PipeWireGraph", dependencies: ["CPipeWireShim", "AudioSessionCore"], swiftSettings: strict),
        .target(
            name: "AudioSessions", dependencies: ["PipeWireGraph", "AudioSessionCore"], swiftSettings: strict),
        .target(
            name: "AudioSessionPlayback",
            dependencies: ["AudioSessions", "AudioSessionCore", "PipeWireGraph", "CSndFile"],
            swiftSettings: strict),
        // File URLs for players and recorders. They are separate because only they need Foundation.
        .target(
            name: "AudioSessionFoundation", dependencies: ["AudioSessionPlayback", "AudioSessionCore"],
            swiftSettings: strict),
        .target(name: "CDesktopBus", dependencies: ["CSystemd", "CProcess"]),
        .target(
            name: "DesktopBus", dependencies: ["CDesktopBus", "PipeWireGraph", "AudioSessionCore"],
            swiftSettings: strict),
        .target(
            name: "AudioSessionDesktop",
            dependencies: [
                "AudioSessions", "AudioSessionPlayback", "AudioSessionCore", "DesktopBus", "PipeWireGraph",
            ],
            swiftSettings: strict),
        // Readers of saved dumps and of lines, for the test kit and the tool. It is not a product.
        .target(
            name: "AudioSessionText", dependencies: ["PipeWireGraph", "AudioSessionCore"], swiftSettings: strict),
        .target(
            name: "AudioSessionTestKit",
            dependencies: ["AudioSessions", "AudioSessionCore", "AudioSessionText", "PipeWireGraph", "CTestKit"],
            swiftSettings: strict),
        // The commands of the tool, separate from its entry point so that tests can import them. It
        // is not a product, and does not depend on the test kit, which Scripts/format checks.
        // Commands that need the test kit are in the program audiosession-simulate.
        .target(
            name: "AudioSessionTool",
            dependencies: [
                "AudioSessions", "AudioSessionPlayback", "AudioSessionDesktop", "AudioSessionCore",
                "AudioSessionText", "PipeWireGraph", "CProcess",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(name: "audiosession", dependencies: ["AudioSessionTool"], swiftSettings: strict),
        .target(
            name: "AudioSessionSimulation",
            dependencies: [
                "AudioSessionTool", "AudioSessions", "AudioSessionPlayback", "AudioSessionCore",
                "AudioSessionTestKit", "PipeWireGraph",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "audiosession-simulate", dependencies: ["AudioSessionSimulation"], swiftSettings: strict),
        // Shared by several test targets. It has no tests, but only test targets can import Testing
        // in every build.
        .testTarget(
            name: "TestSupport",
            dependencies: [
                "AudioSessionTestKit", "AudioSessions", "AudioSessionPlayback", "AudioSessionCore", "PipeWireGraph",
                "CSndFile", "CSystemd", "CTestShelter",
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        .target(name: "CTestShelter", path: "Tests/CTestShelter"),
        // Unit tests, which run in parallel without a daemon. Those of PipeWire's library connect
        // to a server in the same process.
        .testTarget(
            name: "AudioSessionPlaybackTests",
            dependencies: [
                "AudioSessionFoundation", "AudioSessionPlayback", "AudioSessions", "AudioSessionCore",
                "AudioSessionTestKit", "PipeWireGraph",
                "TestSupport",
            ], swiftSettings: strict),
        // Media players of other programs.
        .target(
            name: "MediaPlayers", dependencies: ["DesktopBus", "PipeWireGraph"], path: "Tests/MediaPlayers",
            swiftSettings: strict),
        .testTarget(
            name: "AudioSessionDesktopTests",
            dependencies: [
                "MediaPlayers",
                "AudioSessionDesktop", "AudioSessionPlayback", "AudioSessions", "AudioSessionCore",
                "AudioSessionTestKit", "DesktopBus", "PipeWireGraph", "CDesktopBus", "CSystemd", "TestSupport",
            ], swiftSettings: strict),
        .testTarget(
            name: "AudioSessionsTests",
            dependencies: [
                "AudioSessions", "AudioSessionCore", "AudioSessionTestKit", "PipeWireGraph", "CTestShelter",
                "TestSupport",
            ],
            swiftSettings: strict),
        // Worked cases, which run against the board alone and against real programs.
        .target(
            name: "SessionStories", dependencies: ["AudioSessionCore"], path: "Tests/SessionStories",
            swiftSettings: strict),
        .testTarget(
            name: "AudioSessionCoreTests", dependencies: ["AudioSessionCore", "SessionStories"],
            swiftSettings: strict),
        .testTarget(
            name: "AudioSessionTestKitTests",
            dependencies: ["AudioSessionTestKit", "AudioSessionCore", "PipeWireGraph"], exclude: ["Fixtures"],
            swiftSettings: strict),
        .testTarget(
            name: "AudioSessionToolTests",
            dependencies: [
                "AudioSessionTool", "AudioSessionSimulation", "AudioSessions", "AudioSessionPlayback",
                "AudioSessionCore", "AudioSessionTestKit", "AudioSessionText", "PipeWireGraph", "TestSupport",
                "audiosession", "audiosession-simulate",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(
            name: "CPipeWireTestServer", dependencies: ["CPipeWire", "CPipeWireShim"],
            path: "Tests/CPipeWireTestServer",
            // For the readers of pods, which are internal to the shim.
            cSettings: [.headerSearchPath("../../Sources/CPipeWireShim")]),
        .testTarget(
            name: "PipeWireGraphTests",
            dependencies: [
                "PipeWireGraph", "AudioSessions", "AudioSessionCore", "AudioSessionTestKit", "CPipeWireTestServer",
                "CPipeWireShim", "TestSupport",
            ],
            swiftSettings: strict),
        // Other programs with sessions, for the soak.
        .executableTarget(
            name: "session-crowd", dependencies: ["AudioSessions"], path: "Tests/SessionCrowd", swiftSettings: strict),
        // A program that is killed or stopped at each step, and a hostile one.
        .executableTarget(
            name: "session-peer", dependencies: ["AudioSessions", "AudioSessionCore", "PipeWireGraph"],
            path: "Tests/SessionPeer", swiftSettings: strict),
        .executableTarget(name: "session-flood", dependencies: ["CPipeWire"], path: "Tests/SessionFlood"),
        // Live tests with private daemons, in a few parallel lanes
        // (Tests/TestSupport/LiveTrait.swift).
        .testTarget(
            name: "ScenarioLiveTests",
            dependencies: [
                "AudioSessionDesktop", "AudioSessionPlayback", "AudioSessions", "AudioSessionCore",
                "AudioSessionTestKit", "PipeWireGraph",
                "TestSupport", "session-crowd", "session-peer", "session-flood",
            ],
            // Swift 6.3's optimizer crashes on these tests. The code they measure is optimized.
            swiftSettings: strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]),
        .testTarget(
            name: "AudioSessionToolLiveTests",
            dependencies: [
                "AudioSessionTool", "AudioSessionSimulation", "AudioSessions", "AudioSessionPlayback",
                "AudioSessionCore", "AudioSessionTestKit", "PipeWireGraph", "SessionStories", "MediaPlayers",
                "DesktopBus", "TestSupport", "audiosession", "audiosession-simulate",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AudioSessionTestKitLiveTests",
            dependencies: ["AudioSessionTestKit", "AudioSessionCore", "PipeWireGraph", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AudioSessionPlaybackLiveTests",
            dependencies: [
                "AudioSessionPlayback", "AudioSessions", "AudioSessionCore", "AudioSessionTestKit", "PipeWireGraph",
                "TestSupport",
            ], swiftSettings: strict),
    ]
)

// A library for C and languages that can call C. Swift 6.2 cannot implement the declarations of a
// header.
#if compiler(>=6.3)
    package.products.append(
        .library(name: "AudioSessionC", type: .dynamic, targets: ["AudioSessionC"]))
    package.targets += [
        .target(name: "CAudioSession"),
        .target(
            name: "AudioSessionC",
            dependencies: [
                "AudioSessions", "AudioSessionPlayback", "AudioSessionDesktop", "AudioSessionCore", "PipeWireGraph",
                "CAudioSession",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AudioSessionCTests",
            dependencies: [
                "AudioSessionC", "CAudioSession", "AudioSessions", "AudioSessionPlayback", "AudioSessionDesktop",
                "AudioSessionCore", "AudioSessionTestKit", "PipeWireGraph", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AudioSessionCLiveTests",
            dependencies: [
                "AudioSessionC", "AudioSessionTestKit", "AudioSessionTool", "PipeWireGraph", "TestSupport",
                "audiosession",
            ],
            exclude: ["Programs"], swiftSettings: strict),
    ]
#endif

// Scripts/test-sanitized leaves them out.
if Context.environment["AUDIOSESSIONS_WITHOUT_CORE_TESTS"] != nil {
    package.targets.removeAll { $0.name == "AudioSessionCoreTests" }
}

// The core's benchmarks need its internals, and the tool that runs them searches this package's own
// Benchmarks. Users of the library should not resolve their dependencies, so they are part of the
// package only for Scripts/benchmark.
if Context.environment["AUDIOSESSIONS_BENCHMARKS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []))
    package.targets += [
        .target(
            name: "CorePods", dependencies: ["CPipeWire", "CPipeWireShim"], path: "Benchmarks/CorePods",
            cSettings: [.headerSearchPath("../../Sources/CPipeWireShim")]),
        .target(
            name: "CoreScenes",
            dependencies: ["AudioSessionCore", "PipeWireGraph", "CPipeWireShim", "CorePods", "SessionStories"],
            path: "Benchmarks/CoreScenes", swiftSettings: strict),
        .executableTarget(
            name: "core-events", dependencies: ["CoreScenes", "SessionStories", "AudioSessionCore"],
            path: "Benchmarks/CoreEvents", swiftSettings: strict),
        .executableTarget(
            name: "CoreBenchmarks",
            dependencies: ["CoreScenes", .product(name: "Benchmark", package: "benchmark")],
            path: "Benchmarks/Core", swiftSettings: strict,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ]
}

// The fuzzers need libFuzzer, which only Scripts/fuzz links.
if Context.environment["AUDIOSESSIONS_FUZZERS"] != nil {
    package.targets += [
        .target(
            name: "CFuzz", dependencies: ["CPipeWire", "CPipeWireShim"], path: "Tests/Fuzz/CFuzz",
            cSettings: [.headerSearchPath("../../../Sources/CPipeWireShim")]),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "AudioSessionTool", "AudioSessionTestKit", "AudioSessionCore", "PipeWireGraph", "CPipeWireShim",
                "CPipeWireTestServer", "CFuzz",
            ],
            path: "Tests/Fuzz/Decoders", swiftSettings: strict),
    ]
}
