import CGtk

/// The output in use, and a list of the available ones.
@MainActor
final class RouteMenu {
    let widget = gtk_menu_button_new()!
    /// Calls the closure with the `uid` of a port; `nil` means that the system chooses.
    var onChoice: (String?) -> Void = { _ in }

    private let icon = Make.icon("audio-card-symbolic")
    private let name = Make.label("No Output")
    private let popover = gtk_popover_new()!
    private var shown: [Row]?
    private var rows: [(name: String, button: Widget)] = []

    private struct Row: Hashable {
        var uid: String?
        var name: String
        var kind: String
        var icon: String
        var isChosen: Bool
    }

    init() {
        gtk_menu_button_set_child(widget.opaque, Make.row(6, icon, name))
        gtk_menu_button_set_always_show_arrow(widget.opaque, 1)
        gtk_menu_button_set_direction(widget.opaque, GTK_ARROW_UP)
        gtk_menu_button_set_popover(widget.opaque, popover)
        gtk_widget_set_tooltip_text(widget, "Where the sound goes")
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        _ = widget.styled("routes")
    }

    func show(_ state: WindowState) {
        gtk_image_set_from_icon_name(icon.opaque, state.output?.icon ?? "audio-volume-muted-symbolic")
        gtk_label_set_text(name.opaque, state.output?.name ?? "No Output")
        let automatic = Row(
            name: "Automatic", kind: "As the system chooses", icon: "emblem-system-symbolic",
            isChosen: state.chosen == nil)
        let ports = state.outputs.map {
            Row(uid: $0.uid, name: $0.name, kind: $0.kind, icon: $0.icon, isChosen: state.chosen == $0.uid)
        }
        guard shown != [automatic] + ports else { return }
        shown = [automatic] + ports
        rebuild([automatic] + ports)
    }

    private func rebuild(_ rows: [Row]) {
        let heading = Make.label("Play On", "heading", "menu-title")
        gtk_label_set_xalign(heading.opaque, 0)
        let list = Make.column(2, heading)
        self.rows = rows.map { row in
            let button = self.button(row)
            gtk_box_append(list.cast(), button)
            return (row.name, button)
        }
        gtk_popover_set_child(popover.cast(), list)
    }

    private func button(_ row: Row) -> Widget {
        let (name, kind) = (Make.label(row.name), Make.label(row.kind, "caption", "dim-label"))
        for label in [name, kind] { gtk_label_set_xalign(label.opaque, 0) }
        // "Headphones" below "Headphones" would repeat the name.
        gtk_widget_set_visible(kind, row.name.lowercased().contains(row.kind.lowercased()) ? 0 : 1)
        let check = Make.icon("object-select-symbolic")
        gtk_widget_set_opacity(check, row.isChosen ? 1 : 0)
        let words = Make.column(0, name, kind).wide()
        let button = gtk_button_new()!.styled("flat", "port")
        gtk_button_set_child(button.cast(), Make.row(12, Make.icon(row.icon), words, check))
        return button.on("clicked") { [weak self] in
            guard let self else { return }
            gtk_popover_popdown(popover.cast())
            onChoice(row.uid)
        }
    }

    // MARK: For tests

    func open() { gtk_menu_button_popup(widget.opaque) }

    func choose(named name: String) {
        guard let row = rows.first(where: { $0.name == name }) else { return }
        // A button that is not on the screen cannot be pressed.
        open()
        gtk_widget_activate(row.button)
    }
}
