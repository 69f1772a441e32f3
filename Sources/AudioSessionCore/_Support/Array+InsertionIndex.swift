extension Array {
    /// Returns the index of the first element for which `isBefore` is false, in an array that it
    /// partitions.
    // It is inlined, because closures and generics are slow across modules.
    @inlinable package func insertionIndex(after isBefore: (Element) -> Bool) -> Int {
        insertionIndex(in: indices, after: isBefore)
    }

    /// Returns the index of the first element in a range for which `isBefore` is false, or the end
    /// of the range.
    @inlinable package func insertionIndex(in range: Range<Int>, after isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
