import AudioSessionPlayback
import CGtk

/// The picture of the current file: from the file or its folder, else drawn in a color that depends
/// on the name.
@MainActor
final class CoverView {
    let widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
    private static let side: Int32 = 272
    private var child: Widget?

    init() {
        gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        gtk_widget_set_size_request(widget, Self.side, Self.side)
        _ = widget.styled("cover").aligned(GTK_ALIGN_CENTER)
    }

    func show(_ item: AudioPlayer.Item?) {
        if let child { gtk_box_remove(widget.cast(), child) }
        let picture = item.flatMap { CoverArt.find(for: $0.path) }.flatMap(Self.picture) ?? Self.drawing(of: item)
        gtk_widget_set_size_request(picture, Self.side, Self.side)
        gtk_box_append(widget.cast(), picture)
        child = picture
    }

    private static func picture(_ bytes: [UInt8]) -> Widget? {
        let data = g_bytes_new(bytes, gsize(bytes.count))
        defer { g_bytes_unref(data) }
        guard let texture = gdk_texture_new_from_bytes(data, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        let picture = gtk_picture_new_for_paintable(texture)!
        gtk_picture_set_content_fit(picture.opaque, GTK_CONTENT_FIT_COVER)
        return picture
    }

    private static func drawing(of item: AudioPlayer.Item?) -> Widget {
        let area = gtk_drawing_area_new()!
        // The same picture each time, because Swift's own hashes differ from run to run.
        let seed = ((item?.artist ?? "") + (item?.title ?? item?.path ?? "")).utf8
            .reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        gtk_drawing_area_set_draw_func(
            area.cast(),
            { _, context, width, height, data in
                guard let context, let data else { return }
                CoverDrawing(seed: data.load(as: UInt64.self)).draw(on: context, Double(width), Double(height))
            }, Self.kept(seed), { $0?.deallocate() })
        return area
    }

    private static func kept(_ seed: UInt64) -> gpointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        memory.storeBytes(of: seed, as: UInt64.self)
        return memory
    }
}
