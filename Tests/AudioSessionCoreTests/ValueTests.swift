import Testing

@testable import AudioSessionCore

@Suite struct ValueTests {
    @Test func aPortIsPrintedWithItsTypeAndName() {
        let port = PortDescription(type: .headphones, name: "Headphones", uid: "card/headphones", direction: .output)
        for text in ["\(port)", String(reflecting: [port])] {
            #expect(text.contains("PortDescription(type: "), "\(text)")
            #expect(text.contains("uid: \"card/headphones\""), "\(text)")
            #expect(!text.contains("acts"), "\(text)")
        }
    }

    @Test func timesOutOfRangeAreTheFirstOrLast() {
        let (time, last) = (MonotonicTime(nanoseconds: 1000), MonotonicTime(nanoseconds: .max))
        #expect(time + .nanoseconds(1) == MonotonicTime(nanoseconds: 1001))
        #expect(time + .seconds(Int64.max) == last)
        #expect(last + .nanoseconds(1) == last)
        #expect(time + .seconds(Int64.min) == MonotonicTime(nanoseconds: 0))
        #expect(last.since(time) == .nanoseconds(Int64.max))
    }

    @Test func devicesAreFoundInAnyOrderOfArrival() {
        let ids = [7, 3, 9, 1, 5].map { ObjectID($0) }
        var devices = DeviceTable()
        for id in ids { devices[id] = Device(id: id, properties: [.deviceName: "card \(id.rawValue)"]) }
        #expect(devices.values.map(\.id.rawValue) == [1, 3, 5, 7, 9])
        for id in ids { #expect(devices[id]?.name == "card \(id.rawValue)") }
        devices[ObjectID(3)] = nil
        devices[ObjectID(4)] = nil
        #expect(devices.values.map(\.id.rawValue) == [1, 5, 7, 9])
        #expect(!devices.contains(ObjectID(3)) && devices[ObjectID(3)] == nil && devices.contains(ObjectID(5)))
        devices[ObjectID(5)]?.activeProfile = DeviceProfile(index: 1, name: "on")
        #expect(devices[ObjectID(5)]?.activeProfile?.name == "on" && devices.count == 4)
    }
}
