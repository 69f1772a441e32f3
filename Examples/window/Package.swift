// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because it needs GTK 4, which neither the library nor the other examples
// need.
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

let package = Package(
    name: "AudioSessionsWindow",
    products: [.executable(name: "window-player", targets: ["WindowPlayer"])],
    dependencies: [
        .package(name: "AudioSessions", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        .systemLibrary(name: "CGtk", path: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .executableTarget(
            name: "WindowPlayer",
            dependencies: library + ["CGtk", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Sources", swiftSettings: strict),
        .testTarget(
            name: "WindowPlayerTests",
            dependencies: library + [
                "WindowPlayer", "CGtk", .product(name: "AudioSessionTestKit", package: "AudioSessions"),
            ],
            path: "Tests", swiftSettings: strict),
    ]
)
