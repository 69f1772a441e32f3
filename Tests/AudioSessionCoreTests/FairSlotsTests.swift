import Testing

@testable import AudioSessionCore

@Suite struct FairSlotsTests {
    /// Streams of a few programs, and a model of which have a slot by what the calls report.
    private struct World {
        static let limit = 10
        var slots = FairSlots(limit: Self.limit)
        var random: BoardRandom
        var streams: [ObjectID: TokenOwner.Process] = [:]
        var holders: Set<ObjectID> = []
        var lastID: UInt32 = 0

        init(seed: Int) { random = BoardRandom(seed: UInt64(seed)) }

        mutating func step() {
            let isEnd = random.chance(40)
            if isEnd, let id = streams.keys.sorted().randomElement(using: &random) {
                streams[id] = nil
                holders.remove(id)
                holders.formSymmetricDifference(slots.remove(id))
            } else {
                lastID += 1
                // The first program adds most of the streams.
                let program = random.chance(60) ? 0 : Int.random(in: 0..<6, using: &random)
                let owner: TokenOwner.Process = program % 2 == 0 ? .id(program) : .client(ObjectID(UInt32(program)))
                streams[ObjectID(lastID)] = owner
                holders.formSymmetricDifference(slots.add(ObjectID(lastID), of: owner))
            }
        }

        /// The number of slots of each program, and the programs of which streams wait.
        var shares: (held: [TokenOwner.Process: Int], waiting: Set<TokenOwner.Process>) {
            var held: [TokenOwner.Process: Int] = [:]
            var waiting: Set<TokenOwner.Process> = []
            for (id, owner) in streams {
                if holders.contains(id) { held[owner, default: 0] += 1 } else { waiting.insert(owner) }
            }
            return (held, waiting)
        }
    }

    @Test(arguments: 1...50) func noProgramWaitsThatHasFewerSlotsThanAnother(seed: Int) {
        var world = World(seed: seed)
        for step in 0..<300 {
            world.step()
            for id in world.streams.keys {
                #expect(world.slots.contains(id) == world.holders.contains(id), "\(id) at \(step)")
            }
            let (held, waiting) = world.shares
            #expect(world.holders.count <= World.limit)
            #expect(world.holders.count == min(World.limit, world.streams.count))
            let most = held.values.max() ?? 0
            #expect(waiting.allSatisfy { most <= held[$0, default: 0] + 1 }, "\(held), \(waiting) at \(step)")
        }
    }

    @Test func aProgramWithItsShareOfStreamsNeverWaits() {
        var slots = FairSlots(limit: 10)
        for id in UInt32(100)..<200 { _ = slots.add(ObjectID(id), of: .id(1)) }
        for id in UInt32(1)..<6 {
            #expect(slots.add(ObjectID(id), of: .id(2)) == [ObjectID(id), ObjectID(110 - id)])
        }
        #expect(slots.add(ObjectID(6), of: .id(2)) == [], "it has as many as the other one")
        #expect(slots.add(ObjectID(1), of: .id(2)) == [], "it has a slot")
        #expect(slots.remove(ObjectID(6)) == [], "it had none")
        #expect(slots.remove(ObjectID(1)) == [ObjectID(105)])
        #expect(slots.remove(ObjectID(1)) == [])
    }
}
