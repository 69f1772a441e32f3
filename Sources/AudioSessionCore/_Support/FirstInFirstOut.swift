/// A queue whose first element is removed without moving the others.
struct FirstInFirstOut<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var start = 0

    var first: Element? { start < elements.count ? elements[start] : nil }
    var last: Element? { start < elements.count ? elements.last : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeFirst() {
        start += 1
        if start >= elements.count {
            removeAll()
        } else if start > 64, start > elements.count / 2 {
            elements.removeFirst(start)
            start = 0
        }
    }

    mutating func removeAll() {
        elements.removeAll(keepingCapacity: elements.count < 256)
        start = 0
    }
}
