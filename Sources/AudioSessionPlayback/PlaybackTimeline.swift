/// Which frame of which file each frame of a ring is.
package struct PlaybackTimeline: Sendable, Hashable {
    /// From `start` on, counted in frames of the ring, comes the item from `frame` on.
    package struct Mark: Sendable, Hashable {
        package var start: UInt64
        package var item: Int
        package var frame: Int64

        package init(start: UInt64, item: Int, frame: Int64) {
            self.start = start
            self.item = item
            self.frame = frame
        }
    }

    package struct Place: Sendable, Hashable {
        package var item: Int
        package var frame: Int64

        package init(item: Int, frame: Int64) {
            self.item = item
            self.frame = frame
        }
    }

    /// In order, the one that is playing first.
    private(set) var marks: [Mark] = []

    package init() {}

    package var isEmpty: Bool { marks.isEmpty }

    /// Marks are few: they are dropped as they are passed.
    package mutating func append(_ mark: Mark, read: UInt64) {
        marks.removeAll { $0.start >= mark.start }
        marks.append(mark)
        prune(read)
    }

    package mutating func prune(_ read: UInt64) {
        while marks.count > 1, marks[1].start <= read { marks.removeFirst() }
    }

    /// The place of the frame that is read next; `nil` before there is any.
    package func place(at read: UInt64) -> Place? {
        guard let mark = marks.last(where: { $0.start <= read }) ?? marks.first else { return nil }
        return Place(item: mark.item, frame: mark.frame + Int64(read - min(read, mark.start)))
    }

    /// Where the next item begins.
    package func boundary(after read: UInt64) -> UInt64? { marks.first { $0.start > read }?.start }
}
