// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "hello-session",
    dependencies: [
        // In a copy of this folder: where you have the library, or what it is published at, as in
        // .package(url: "https://example.org/AudioSessions.git", branch: "main"),
        .package(name: "AudioSessions", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "hello-session",
            dependencies: [
                .product(name: "AudioSessions", package: "AudioSessions"),
                .product(name: "AudioSessionPlayback", package: "AudioSessions"),
            ],
            path: "Sources")
    ]
)
