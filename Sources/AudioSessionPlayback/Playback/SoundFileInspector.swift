package import AudioSessionCore
package import PipeWireGraph

/// An actor on a thread of its own that reads the formats and tags of sound files. A decoder's
/// thread has to keep its ring full meanwhile, and some files are read to their end for that.
package actor SoundFileInspector {
    private nonisolated let executor: LoopExecutor

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init() throws(PipeWireError) { executor = try LoopExecutor() }

    /// Opens a file and reads its format and tags.
    package func inspect(_ path: String) throws(AudioSessionError) -> AudioPlayer.Item {
        Self.item(of: try SoundFile(path: path))
    }

    /// Opens a file that is to stay open, and reads its format and tags.
    package func open(_ path: String) throws(AudioSessionError) -> (item: AudioPlayer.Item, file: OpenSoundFile) {
        let file = try OpenSoundFile(path: path)
        return (Self.item(of: try SoundFile(file)), file)
    }

    private static func item(of file: SoundFile) -> AudioPlayer.Item {
        AudioPlayer.Item(
            path: file.path, location: file.location, title: file.title, artist: file.artist, format: file.format,
            frameCount: file.frameCount)
    }
}
