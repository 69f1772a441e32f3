import CGtk

/// A banner that slides in above everything else while another session or a state silences the
/// player.
@MainActor
final class BannerView {
    let widget = gtk_revealer_new()!
    var onPress: () -> Void = {}

    private let icon = Make.icon("dialog-warning-symbolic")
    private let title = Make.label("", "heading")
    private let text = gtk_label_new("")!
    private let button = gtk_button_new_with_label("")!

    init() {
        for label in [title, text] { gtk_label_set_xalign(label.opaque, 0) }
        gtk_label_set_wrap(text.opaque, 1)
        let words = Make.column(2, title, text.styled("banner-text")).wide()
        gtk_widget_set_valign(words, GTK_ALIGN_CENTER)
        button.on("clicked") { [weak self] in self?.onPress() }
        let row = Make.row(12, icon, words, button.aligned(GTK_ALIGN_END)).styled("banner")
        gtk_revealer_set_child(widget.opaque, row)
        gtk_revealer_set_transition_type(widget.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN)
    }

    /// Shows the text; `nil` slides the banner out with its last text.
    func show(_ banner: WindowState.Banner?) {
        gtk_revealer_set_reveal_child(widget.opaque, banner == nil ? 0 : 1)
        guard let banner else { return }
        gtk_image_set_from_icon_name(icon.opaque, banner.icon)
        gtk_label_set_text(title.opaque, banner.title)
        gtk_label_set_text(text.opaque, banner.text)
        gtk_button_set_label(button.cast(), banner.button ?? "")
        gtk_widget_set_visible(button, banner.button == nil ? 0 : 1)
    }

    func press() { gtk_widget_activate(button) }
}
