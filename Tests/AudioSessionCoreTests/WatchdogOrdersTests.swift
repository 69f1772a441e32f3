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

    /// The mute of a program whose output may be lost does not wait for the watchdog's start.
    @Test func anUrgentOrderWaitsWhateverItsStreams() {
        var orders = WatchdogOrders()
        #expect(orders.receive(.changed([order(40)], isUrgent: true)) == [.wait])
        #expect(orders.receive(.changed([order(40), order(41)], isUrgent: true)) == [])
        #expect(orders.receive(.timer) == [.send([order(40), order(41)])])
        #expect(orders.receive(.changed([order(42)], isUrgent: true)) == [.wait])
        #expect(orders.receive(.changed([order(43)])) == [.send([order(43)])])
        #expect(orders.receive(.timer) == [])
    }

    /// The output is lost before the order was sent, so the streams stay muted.
    @Test func anUrgentOrderThatIsWithdrawnIsNotSent() {
        var orders = WatchdogOrders()
        #expect(orders.receive(.changed([order(40)], isUrgent: true)) == [.wait])
        #expect(orders.receive(.changed([])) == [])
        #expect(orders.receive(.timer) == [.send([])])
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
