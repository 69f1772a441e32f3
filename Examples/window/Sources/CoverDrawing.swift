import CGtk

/// A cover for files without one: two matching colors, and the bars of a sound.
struct CoverDrawing {
    let seed: UInt64

    func draw(on context: OpaquePointer, _ width: Double, _ height: Double) {
        let hue = Double(seed % 360) / 360
        let gradient = cairo_pattern_create_linear(0, 0, width, height)
        stop(gradient, at: 0, hue: hue, saturation: 0.55, brightness: 0.95)
        stop(gradient, at: 1, hue: hue + 0.13, saturation: 0.75, brightness: 0.55)
        cairo_set_source(context, gradient)
        cairo_paint(context)
        cairo_pattern_destroy(gradient)

        let count = 15
        let step = width * 0.7 / Double(count)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_width(context, step * 0.5)
        cairo_set_source_rgba(context, 1, 1, 1, 0.85)
        for bar in 0..<count {
            // High in the middle, low at the ends, and each bar from other bits of the name.
            let place = Double(bar) / Double(count - 1) * 2 - 1
            let chance = Double(seed >> UInt64(bar * 4) & 0xF) / 15
            let half = height * (0.03 + (1 - place * place) * (0.06 + 0.2 * chance))
            let x = width * 0.15 + step * (Double(bar) + 0.5)
            cairo_move_to(context, x, height / 2 - half)
            cairo_line_to(context, x, height / 2 + half)
            cairo_stroke(context)
        }
    }

    private func stop(
        _ gradient: OpaquePointer?, at place: Double, hue: Double, saturation: Double, brightness: Double
    ) {
        var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
        let turn = Float(hue.truncatingRemainder(dividingBy: 1))
        gtk_hsv_to_rgb(turn, Float(saturation), Float(brightness), &red, &green, &blue)
        cairo_pattern_add_color_stop_rgb(gradient, place, Double(red), Double(green), Double(blue))
    }
}
