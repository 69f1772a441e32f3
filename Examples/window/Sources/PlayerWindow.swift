import AudioSessionPlayback
import CGtk

/// The widgets. They show a ``WindowState``, and report the user's commands.
@MainActor
final class PlayerWindow {
    var onCommand: (Player.Command) -> Void = { _ in }
    var onClose: () -> Void = {}

    private let window = gtk_window_new()!
    private let banner = BannerView()
    private let cover = CoverView()
    private let title = Make.label("", "title-2")
    private let artist = Make.label("", "dim-label")
    private let progress = Make.scale(upTo: 1)
    private let elapsed = Make.label("0:00", "caption", "dim-label", "numeric")
    private let duration = Make.label("0:00", "caption", "dim-label", "numeric")
    private let volume = Make.scale(upTo: 1).wide()
    private let routes = RouteMenu()
    private var buttons: [String: Widget] = [:]

    init() {
        Style.load()
        gtk_window_set_title(window.cast(), "Music")
        gtk_window_set_default_size(window.cast(), 400, 724)
        gtk_window_set_titlebar(window.cast(), gtk_header_bar_new())
        gtk_widget_set_vexpand(cover.widget, 1)
        let content = Make.column(
            18, cover.widget, Make.column(6, title, artist), progressPart(), controls(), bottom()
        )
        .styled("content")
        gtk_window_set_child(window.cast(), Make.column(0, banner.widget, content))
        banner.onPress = { [weak self] in self?.onCommand(.playOrPause) }
        routes.onChoice = { [weak self] in self?.onCommand(.output($0)) }
        closeRequested()
    }

    private func progressPart() -> Widget {
        progress.onMove { [weak self] in self?.onCommand(.seek(.milliseconds(Int64(max(0, $0) * 1_000)))) }
        gtk_widget_set_tooltip_text(progress, "Position")
        gtk_widget_set_halign(elapsed, GTK_ALIGN_START)
        gtk_widget_set_halign(duration, GTK_ALIGN_END)
        return Make.column(0, progress, Make.row(12, elapsed.wide(), duration).styled("times"))
    }

    private func controls() -> Widget {
        let kinds: [(String, String, String, Player.Command)] = [
            ("previous", "media-skip-backward-symbolic", "Previous", .previous),
            ("play", "media-playback-start-symbolic", "Play", .playOrPause),
            ("next", "media-skip-forward-symbolic", "Next", .next),
        ]
        let row = Make.row(18)
        for (name, icon, words, command) in kinds {
            let button = Make.button(icon: icon, words) { [weak self] in self?.onCommand(command) }.styled("circular")
            gtk_box_append(row.cast(), button.styled(name == "play" ? "play" : "flat"))
            buttons[name] = button
        }
        gtk_widget_set_halign(row, GTK_ALIGN_CENTER)
        return row
    }

    private func bottom() -> Widget {
        volume.onMove { [weak self] in self?.onCommand(.volume(min(max($0, 0), 1))) }
        gtk_widget_set_tooltip_text(volume, "Volume")
        let loudness = Make.row(6, Make.icon("audio-volume-high-symbolic").styled("dim-label"), volume).wide()
        let row = Make.row(18, routes.widget, loudness)
        gtk_box_set_homogeneous(row.cast(), 1)
        return row
    }

    private func closeRequested() {
        let callback: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, data in
            Handler<Void>.call(data, with: ())
            // It ends after other sessions were advised to resume.
            return 1
        }
        let handler = Handler<Void> { [weak self] in self?.onClose() }
        g_signal_connect_data(
            window, "close-request", unsafeBitCast(callback, to: GCallback.self), handler.retained,
            { data, _ in Handler<Void>.release(data) }, G_CONNECT_DEFAULT)
    }

    func present() {
        gtk_window_present(window.cast())
        if let play = buttons["play"] { gtk_widget_grab_focus(play) }
    }

    func close() { gtk_widget_set_visible(window, 0) }

    func showCover(of item: AudioPlayer.Item?) { cover.show(item) }

    func show(_ state: WindowState) {
        gtk_label_set_text(title.opaque, state.title)
        gtk_label_set_text(artist.opaque, state.artist ?? "")
        gtk_widget_set_visible(artist, state.artist == nil ? 0 : 1)
        gtk_range_set_range(progress.cast(), 0, Double(max(1, state.duration)))
        gtk_range_set_value(progress.cast(), Double(state.position))
        gtk_label_set_text(elapsed.opaque, WindowState.clock(state.position))
        gtk_label_set_text(duration.opaque, WindowState.clock(state.duration))
        gtk_range_set_value(volume.cast(), state.volume)
        if let next = buttons["next"] { gtk_widget_set_sensitive(next, state.hasNext ? 1 : 0) }
        if let play = buttons["play"] {
            let icon = state.isPlaying ? "media-playback-pause-symbolic" : "media-playback-start-symbolic"
            gtk_button_set_icon_name(play.cast(), icon)
            gtk_widget_set_tooltip_text(play, state.isPlaying ? "Pause" : "Play")
        }
        routes.show(state)
        banner.show(state.banner)
    }

    /// Executes the user's action: "press next", "seek 82", "open routes", "choose Speakers".
    func execute(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.last) {
        case ("press", "banner"): banner.press()
        case ("press", let name?): if let button = buttons[name] { gtk_widget_activate(button) }
        case ("seek", let time?): onCommand(.seek(.seconds(Int(time) ?? 0)))
        case ("open", _): routes.open()
        case ("choose", let name?): routes.choose(named: name)
        case ("close", _): gtk_window_close(window.cast())
        default: break
        }
    }
}
