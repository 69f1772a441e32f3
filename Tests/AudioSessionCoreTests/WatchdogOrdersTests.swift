import Testing

@testable import AudioSessionCore

@Suite struct WatchdogOrdersTests {
    private func order(_ id: UInt32, serial: String = "1", _ volume: Float = 1) -> UnmanagedStreams.RestoreOrder {
        .init(id: ObjectID(id), serial: serial, volumes: [volume], isMuted: false)
    }

    @Test func otherStreamsAreSentAtOnceAndOtherVolumesOnceAfterTheDelay() {
        var orders = WatchdogOrders()
        #expect(orders.receive(.changed([order(40)])) == [.send([order(40)])])
        #expect(orders.receive(.changed([order(40, 0.5)])) == [.wait])
        for volume in 1...100 { #expect(orders.receive(.changed([order(40, Float(volume))])) == []) }
        #expect(orders.receive(.timer) == [.send([order(40, 100)])])
        for other in [[order(40), order(41)], [order(41)], [order(41, serial: "2")], []] {
            #expect(orders.receive(.changed(other)) == [.send(other)])
        }
    }

    @Test func aDelayedOrderIsReplacedByOneThatIsSentAtOnce() {
        var orders = WatchdogOrders()
        _ = orders.receive(.changed([order(40)]))
        #expect(orders.receive(.changed([order(40, 0.5)])) == [.wait])
        #expect(orders.receive(.changed([])) == [.send([])])
        #expect(orders.receive(.timer) == [])
        #expect(orders.receive(.changed([order(40)])) == [.send([order(40)])])
    }
}
