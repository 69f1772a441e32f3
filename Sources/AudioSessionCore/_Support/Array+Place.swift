extension Array {
    /// In an array that is in order: the place of the first element that does not come before what is looked for.
    // Inlined, for whom a closure and a generic type are slow in another module.
    @inlinable package func place(after isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
