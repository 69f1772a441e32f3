import CGtk

/// The casts of GTK's own macros in C: each widget is a `GtkWidget`, and is cast where a function
/// needs another type.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer<GtkWidget> {
    /// A cast for kinds of widgets whose struct is public.
    func cast<Kind>(_: Kind.Type = Kind.self) -> UnsafeMutablePointer<Kind> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Kind.self)
    }

    /// A cast for the other kinds.
    var opaque: OpaquePointer { OpaquePointer(self) }

    @MainActor func styled(_ classes: String...) -> Self {
        for name in classes { gtk_widget_add_css_class(self, name) }
        return self
    }

    @MainActor func aligned(_ align: GtkAlign) -> Self {
        gtk_widget_set_halign(self, align)
        gtk_widget_set_valign(self, GTK_ALIGN_CENTER)
        return self
    }

    /// Expands the widget to the free space of its row.
    @MainActor func wide() -> Self {
        gtk_widget_set_hexpand(self, 1)
        return self
    }

    /// Calls the closure at a signal without arguments.
    @MainActor @discardableResult
    func on(_ signal: String, _ body: @escaping @MainActor () -> Void) -> Self {
        let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in Handler<Void>.call(data, with: ())
        }
        g_signal_connect_data(
            self, signal, unsafeBitCast(callback, to: GCallback.self), Handler(body).retained,
            { data, _ in Handler<Void>.release(data) }, G_CONNECT_DEFAULT)
        return self
    }

    /// Calls the closure with the new value when the user moves a scale, and not when the program
    /// does.
    @MainActor func onMove(_ body: @escaping @MainActor (Double) -> Void) {
        let callback: @convention(c) (gpointer?, GtkScrollType, Double, gpointer?) -> gboolean = {
            _, _, value, data in
            Handler<Double>.call(data, with: value)
            return 0
        }
        g_signal_connect_data(
            self, "change-value", unsafeBitCast(callback, to: GCallback.self), Handler(body).retained,
            { data, _ in Handler<Double>.release(data) }, G_CONNECT_DEFAULT)
    }
}

@MainActor
enum Make {
    static func row(_ spacing: Int32, _ children: Widget...) -> Widget {
        box(GTK_ORIENTATION_HORIZONTAL, spacing, children)
    }

    static func column(_ spacing: Int32, _ children: Widget...) -> Widget {
        box(GTK_ORIENTATION_VERTICAL, spacing, children)
    }

    private static func box(_ orientation: GtkOrientation, _ spacing: Int32, _ children: [Widget]) -> Widget {
        let box = gtk_box_new(orientation, spacing)!
        for child in children { gtk_box_append(box.cast(), child) }
        return box
    }

    /// One line of text, which ends in dots where it is cut.
    static func label(_ text: String = "", _ classes: String...) -> Widget {
        let label = gtk_label_new(text)!
        gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END)
        for name in classes { gtk_widget_add_css_class(label, name) }
        return label
    }

    static func icon(_ name: String) -> Widget { gtk_image_new_from_icon_name(name) }

    /// A button with an icon. `words` describe it for users who do not see or know the icon.
    static func button(icon: String, _ words: String, _ action: @escaping @MainActor () -> Void) -> Widget {
        let button = gtk_button_new_from_icon_name(icon)!
        gtk_widget_set_tooltip_text(button, words)
        return button.on("clicked", action).aligned(GTK_ALIGN_CENTER)
    }

    static func scale(upTo maximum: Double) -> Widget {
        let scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, maximum, maximum / 20)!
        gtk_scale_set_draw_value(scale.cast(), 0)
        return scale
    }
}
