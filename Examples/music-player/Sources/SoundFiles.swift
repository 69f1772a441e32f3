import Glibc

/// Finds the files behind what somebody named on the command line.
enum SoundFiles {
    /// Files as they are named; folders as everything in them, in the order of names, numbers in them as numbers.
    /// Hidden files are left out, and folders that are reached by a symbolic link inside another, as they may lead
    /// back up.
    static func find(in arguments: [String]) throws(MusicPlayerError) -> [String] {
        var files: [String] = []
        for argument in arguments {
            switch kind(of: argument, followingLinks: true) {
            case nil: throw .noSuchFile(argument)
            case .folder: try collect(argument, into: &files)
            case .file, .other: files.append(argument)
            }
        }
        return files
    }

    private enum Kind { case file, folder, other }

    private static func kind(of path: String, followingLinks: Bool) -> Kind? {
        var status = stat()
        guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }

    /// Not recursion: a tree may be deeper than the stack. Folders wait in the order in which they are to be read.
    private static func collect(_ root: String, into files: inout [String]) throws(MusicPlayerError) {
        guard let top = entries(of: root) else { throw .unreadableFolder(root) }
        var waiting = Array(top.reversed())
        while let path = waiting.popLast() {
            if kind(of: path, followingLinks: false) == .folder {
                waiting += (entries(of: path) ?? []).reversed()
            } else if kind(of: path, followingLinks: true) == .file {
                files.append(path)
            }
        }
    }

    private static func entries(of folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return names.sorted { strverscmp($0, $1) < 0 }.map { prefix + $0 }
    }
}

/// What ends the program before it plays.
enum MusicPlayerError: Error, Hashable, CustomStringConvertible {
    case noSuchFile(String)
    case unreadableFolder(String)
    /// With what was wrong with the first file, if there was one.
    case nothingPlayable(String?)
    case pipeWireWentAway

    var description: String {
        switch self {
        case .noSuchFile(let path): "There is no file or folder '\(path.printable)'. Check the path."
        case .unreadableFolder(let path):
            "The folder '\(path.printable)' cannot be read. Change its permissions, or name another one."
        case .nothingPlayable(let reason):
            "There is nothing to play. \(reason ?? "Name sound files, or folders that hold some.")"
        case .pipeWireWentAway: "PipeWire went away. Start it again, then this program."
        }
    }
}
