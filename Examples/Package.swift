// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that who uses the library fetches nothing that only its examples need.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "AudioSessionsExamples",
    products: [
        .executable(name: "music-player", targets: ["MusicPlayer"])
    ],
    dependencies: [
        .package(name: "AudioSessions", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "MusicPlayer",
            dependencies: [
                .product(name: "AudioSessions", package: "AudioSessions"),
                .product(name: "AudioSessionPlayback", package: "AudioSessions"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "music-player/Sources", swiftSettings: strict),
        .testTarget(
            name: "MusicPlayerTests",
            dependencies: [
                "MusicPlayer",
                .product(name: "AudioSessions", package: "AudioSessions"),
                .product(name: "AudioSessionPlayback", package: "AudioSessions"),
                .product(name: "AudioSessionTestKit", package: "AudioSessions"),
            ],
            swiftSettings: strict),
    ]
)
