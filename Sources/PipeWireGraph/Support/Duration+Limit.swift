extension Duration {
    /// This duration, limited to the range from zero to a century. Swift's clock ends the program
    /// if a duration does not fit into its numbers, and timers of the loop count nanoseconds in 64
    /// bits.
    package var withinCentury: Duration { min(max(.zero, self), .seconds(100 * 365 * 24 * 3600)) }
}
