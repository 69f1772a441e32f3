extension Duration {
    /// This duration, limited to a century. Swift's clock ends the program at longer ones that do
    /// not fit into its numbers, and timers of the loop count nanoseconds in 64 bits.
    package var withinCentury: Duration { min(max(.zero, self), .seconds(100 * 365 * 24 * 3600)) }
}
