extension Array {
    /// Returns the index of the first element for which `isBefore` is false, in an array that it
    /// partitions.
    // It is inlined, because closures and generics are slow across modules.
    @inlinable package func place(after isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
