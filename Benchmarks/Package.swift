// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of the library do not fetch dependencies of the benchmarks.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A peer without its library reports that when it starts, and the driver names it.
func system(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}
func peer(_ name: String, _ libraries: [Target.Dependency] = []) -> Target {
    .executableTarget(name: name, dependencies: ["PeerSupport"] + libraries)
}
// The warnings of the programs that cause the events.
let driver: [Target.Dependency] = [
    .product(name: "AudioSessionTestKit", package: "AudioSessions"),
    .product(name: "AudioSessions", package: "AudioSessions"),
    .product(name: "ArgumentParser", package: "swift-argument-parser"),
]

let package = Package(
    name: "AudioSessionsBenchmarks",
    products: [
        // Preloaded libraries for `cost` and `event-latency`, before the peers' own libraries.
        .library(name: "allocation-counter", type: .dynamic, targets: ["AllocationCounter"]),
        .library(name: "wake-clock", type: .dynamic, targets: ["WakeClock"]),
    ],
    dependencies: [
        .package(name: "AudioSessions", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        system("CPipeWireSystem", "libpipewire-0.3", "libpipewire-0.3-dev"),
        system("CPulse", "libpulse", "libpulse-dev"),
        system("CWirePlumber", "wireplumber-0.4", "libwireplumber-0.4-dev"),
        system("CGStreamer", "gstreamer-1.0", "libgstreamer1.0-dev"),
        system("CSDBus", "libsystemd", "libsystemd-dev"),
        .target(name: "WakeClock", linkerSettings: [.linkedLibrary("dl")]),
        // Only the header, because a measured program has the clock preloaded, or has none.
        .target(name: "PeerSupport", cSettings: [.headerSearchPath("../WakeClock/include")]),
        peer("peer-cause", ["CPipeWireSystem"]),
        peer("peer-cycles", ["CPipeWireSystem"]),
        // The floor, for a program in C and for one in Swift.
        .target(name: "FloorClient", dependencies: ["PeerSupport", "CPipeWireSystem"]),
        peer("peer-pipewire", ["FloorClient"]),
        .executableTarget(name: "peer-hop", dependencies: ["FloorClient", "PeerSupport"], swiftSettings: strict),
        peer("peer-pulse", ["CPulse"]),
        peer("peer-wireplumber", ["CWirePlumber"]),
        peer("peer-gstreamer", ["CGStreamer"]),
        peer("peer-dbus", ["CSDBus"]),
        .executableTarget(
            name: "peer-audiosessions",
            dependencies: ["PeerSupport", .product(name: "AudioSessions", package: "AudioSessions")],
            swiftSettings: strict),
        // Pairs causes with sightings, in a target of its own so that a test can send false ones.
        .target(
            name: "EventLedger", dependencies: [.product(name: "Histogram", package: "hdrhistogram-swift")],
            swiftSettings: strict),
        .executableTarget(
            name: "peer-player",
            dependencies: [
                "PeerSupport", .product(name: "AudioSessions", package: "AudioSessions"),
                .product(name: "AudioSessionPlayback", package: "AudioSessions"),
            ], swiftSettings: strict),
        // The same work in the callback of an output and of a stream.
        .target(name: "RenderedTone", dependencies: ["PeerSupport"]),
        peer("peer-stream", ["CPipeWireSystem", "RenderedTone"]),
        .executableTarget(
            name: "peer-output",
            dependencies: [
                "PeerSupport", "RenderedTone", .product(name: "AudioSessions", package: "AudioSessions"),
                .product(name: "AudioSessionPlayback", package: "AudioSessions"),
            ], swiftSettings: strict),
        .target(name: "AllocationCounter"),
        .target(name: "BenchmarkSupport", swiftSettings: strict),
        .executableTarget(
            name: "sound-leak",
            dependencies: ["BenchmarkSupport", "peer-player", "peer-audiosessions"] + driver, swiftSettings: strict),
        .target(
            name: "CostStage",
            dependencies: [
                "BenchmarkSupport", .product(name: "AudioSessionTestKit", package: "AudioSessions"),
            ], swiftSettings: strict),
        // Without the peers, because it also runs on stacks that lack their libraries.
        .executableTarget(
            name: "activation",
            dependencies: ["BenchmarkSupport", "CostStage", "peer-cause", "peer-cycles", "peer-audiosessions"]
                + driver,
            swiftSettings: strict),
        .executableTarget(
            name: "cost",
            dependencies: [
                "BenchmarkSupport", "CostStage", "AllocationCounter", "peer-cause", "peer-pipewire", "peer-pulse",
                "peer-wireplumber", "peer-gstreamer", "peer-audiosessions", "peer-player", "peer-stream",
                "peer-output",
            ] + driver, swiftSettings: strict),
        .executableTarget(
            name: "event-latency",
            dependencies: [
                "BenchmarkSupport", "EventLedger", "peer-cause", "peer-pipewire", "peer-pulse", "peer-wireplumber",
                "peer-gstreamer", "peer-hop", "peer-dbus", "peer-audiosessions",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ] + driver, swiftSettings: strict),
        .testTarget(
            name: "EventLedgerTests",
            dependencies: ["EventLedger", .product(name: "Histogram", package: "hdrhistogram-swift")],
            swiftSettings: strict),
        .testTarget(
            name: "BenchmarkSupportTests", dependencies: ["BenchmarkSupport"], swiftSettings: strict),
    ]
)
