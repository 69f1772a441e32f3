import CGtk

/// Styles that the theme lacks, with the distances of GNOME's guidelines.
@MainActor
enum Style {
    static func load() {
        let provider = gtk_css_provider_new()!
        gtk_css_provider_load_from_data(provider, sheet, -1)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), OpaquePointer(provider), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }

    private static let sheet = """
        window { background-color: @theme_base_color; }
        headerbar { background: none; box-shadow: none; border: none; }
        .content { padding: 6px 30px 24px 30px; }
        .cover { border-radius: 16px; box-shadow: 0 6px 18px alpha(black, .28); }
        .title-2 { font-size: 15pt; font-weight: 800; }
        .heading { font-weight: 700; }
        .caption { font-size: 9pt; }
        .numeric { font-feature-settings: "tnum"; }
        .times { padding: 0 12px; }
        .circular { min-width: 44px; min-height: 44px; padding: 0; border-radius: 999px; }
        .play { min-width: 60px; min-height: 60px; background: @theme_selected_bg_color; border: none;
            color: white; -gtk-icon-size: 24px; box-shadow: none; }
        .routes > button { border-radius: 999px; padding: 6px 12px; }
        popover > contents { border-radius: 12px; padding: 6px; }
        .port { padding: 8px 12px; font-weight: normal; }
        .menu-title { padding: 8px 12px 6px 12px; }
        .banner { background-color: alpha(@theme_selected_bg_color, .16); margin: 0 12px 6px 12px;
            padding: 12px 12px 12px 16px; border-radius: 12px; }
        .banner-text { font-size: 10pt; }
        """
}
