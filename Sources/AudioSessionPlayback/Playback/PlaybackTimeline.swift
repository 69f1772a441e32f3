/// The map from frames of a ring to frames of the queue's items.
package struct PlaybackTimeline: Sendable, Hashable {
    /// A section of the ring, which begins at this position of the queue.
    package struct Mark: Sendable, Hashable {
        package var start: UInt64
        package var position: Position

        package init(start: UInt64, _ position: Position) {
            self.start = start
            self.position = position
        }
    }

    package struct Position: Sendable, Hashable {
        package var item: Int
        package var frame: Int64
        /// The number of times that the item was played to its end before.
        package var repetition: Int

        package init(item: Int, frame: Int64, repetition: Int = 0) {
            self.item = item
            self.frame = frame
            self.repetition = repetition
        }
    }

    /// The marks in order, beginning with the item that is playing.
    private(set) var marks: [Mark] = []

    package init() {}

    package var isEmpty: Bool { marks.isEmpty }

    /// Appends a mark, and drops those that the reader has passed.
    package mutating func append(_ mark: Mark, read: UInt64) {
        marks.removeAll { $0.start >= mark.start }
        marks.append(mark)
        prune(read)
    }

    package mutating func prune(_ read: UInt64) {
        while marks.count > 1, marks[1].start <= read { marks.removeFirst() }
    }

    /// Returns the position of the next frame to read; `nil` if the timeline is empty.
    package func position(at read: UInt64) -> Position? {
        guard let mark = marks.last(where: { $0.start <= read }) ?? marks.first else { return nil }
        var position = mark.position
        position.frame += Int64(read - min(read, mark.start))
        return position
    }

    /// Returns the ring's frame at which the next item begins. A repetition begins no other item.
    package func boundary(after read: UInt64) -> UInt64? {
        marks.indices.first { index in
            marks[index].start > read && (index == 0 || marks[index].position.item != marks[index - 1].position.item)
        }
        .map { marks[$0].start }
    }
}
