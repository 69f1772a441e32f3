import CGtk
import Foundation

/// An X server without a monitor, whose screen is a file.
final class Screen {
    static let size = (width: 400, height: 724)

    let display: String
    private let process = Process()
    /// The compositor for translucent parts: shadows and round corners of the menu.
    private let compositor = Process()
    private let folder: URL

    struct Failure: Error { let reason: String }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "screen.\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["Xvfb", "-displayfd", "1", "-screen", "0", "\(Self.size.width)x\(Self.size.height)x24"]
            + ["-fbdir", folder.path, "-nolisten", "tcp", "-nocursor", "-noreset"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It prints its number when it is ready.
        let number = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard !number.isEmpty else { throw Failure(reason: "Xvfb did not start") }
        display = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
        compositor.executableURL = URL(filePath: "/usr/bin/env")
        compositor.arguments = ["xcompmgr", "-n", "-d", display]
        compositor.standardError = FileHandle.nullDevice
        try compositor.run()
    }

    deinit {
        // With SIGKILL, because it may have started with blocked signals, as threads of a test
        // have.
        for process in [compositor, process] {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        for file in ["/tmp/.X\(display.dropFirst())-lock", "/tmp/.X11-unix/X\(display.dropFirst())"] { unlink(file) }
        try? FileManager.default.removeItem(at: folder)
    }

    var picture: Picture {
        get throws {
            let file = [UInt8](try Data(contentsOf: folder.appending(path: "Xvfb_screen0")))
            // The format of `xwd`: a header of big-endian numbers, a table of colors, and the
            // pixels.
            func number(_ index: Int) -> Int { file[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) } }
            let (width, height, line) = (number(4), number(5), number(12))
            let start = number(0) + number(19) * 12
            guard number(11) == 32, file.count >= start + height * line else { throw Failure(reason: "no picture") }
            var picture = Picture(width: width, height: height)
            var place = 0
            for y in 0..<height {
                for source in stride(from: start + y * line, to: start + y * line + width * 4, by: 4) {
                    picture.bytes[place] = file[source + 2]
                    picture.bytes[place + 1] = file[source + 1]
                    picture.bytes[place + 2] = file[source]
                    place += 3
                }
            }
            return picture
        }
    }

    /// Waits until the screen satisfies the condition. GTK draws some time after a command, and no
    /// event reports that, so this polls up to a deadline.
    func picture(within limit: Duration = .seconds(15), where isWanted: (Picture) -> Bool) async throws -> Picture {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let picture = try picture
            if isWanted(picture) { return picture }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Failure(reason: "the screen does not show it")
    }
}

/// Three bytes for each pixel.
struct Picture: Equatable {
    let width: Int
    let height: Int
    var bytes: [UInt8]

    init(width: Int, height: Int, fill: [UInt8] = [0, 0, 0]) {
        self.width = width
        self.height = height
        bytes = Array(repeatElement(fill, count: width * height).joined())
    }

    var colorCount: Int {
        var isSeen = [Bool](repeating: false, count: 1 << 24)
        var count = 0
        // Only some rows, because a test should end soon.
        for place in stride(from: 0, to: bytes.count, by: 15) {
            let color = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
            if !isSeen[color] { count += 1 }
            isSeen[color] = true
        }
        return count
    }

    /// How far the bar in this row is filled with the theme's blue, from 0 to 1.
    func progress(inRow y: Int) -> Double {
        func columns(_ isWanted: (ArraySlice<UInt8>) -> Bool) -> [Int] {
            (20..<width - 20).filter { isWanted(bytes[(y * width + $0) * 3..<(y * width + $0) * 3 + 3]) }
        }
        let blue = columns { Int($0.last!) > Int($0.first!) + 60 }
        let bar = columns { !$0.allSatisfy { $0 > 245 } }
        guard let end = blue.last, let first = bar.first, let last = bar.last, last > first else { return 0 }
        return Double(end - first) / Double(last - first)
    }

    /// Rows of pixels from the top.
    func rows(_ range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[range.lowerBound * width * 3..<range.upperBound * width * 3]
    }

    mutating func place(_ picture: Picture, x: Int, y: Int) {
        for row in 0..<picture.height {
            let start = ((y + row) * width + x) * 3
            bytes.replaceSubrange(start..<start + picture.width * 3, with: picture.rows(row..<row + 1))
        }
    }

    /// Writes the picture as a PNG.
    func save(to path: String) throws {
        let isSaved = bytes.withUnsafeBufferPointer { bytes in
            let pixels = gdk_pixbuf_new_from_data(
                bytes.baseAddress, GDK_COLORSPACE_RGB, 0, 8, Int32(width), Int32(height), Int32(width * 3), nil, nil)
            defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
            var (keys, values) = ([strdup("compression"), nil], [strdup("9"), nil])
            defer { free(keys[0]); free(values[0]) }
            return gdk_pixbuf_savev(pixels, path, "png", &keys, &values, nil) != 0
        }
        guard isSaved else { throw Screen.Failure(reason: "cannot write \(path)") }
    }
}
