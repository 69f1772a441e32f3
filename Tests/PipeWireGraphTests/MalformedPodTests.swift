import AudioSessionCore
import CPipeWireShim
import CPipeWireTestServer
import PipeWireGraph
import TestSupport
import Testing

@Suite("Malformed parameters")
struct MalformedPodTests {
    private func tryRoute(_ pod: [UInt8]) -> cpt_outcome { cpt_try_route(pod, pod.count) }
    private func tryProfile(_ pod: [UInt8]) -> cpt_outcome { cpt_try_profile(pod, pod.count) }

    /// A route with one property replaced by another value.
    private func route(_ key: UInt32, _ value: Pod) -> [UInt8] {
        let plain: [(UInt32, Pod)] = [(1, .int(0)), (2, .id(1)), (4, .string("r"))]
        return Pod.object(
            type: 0x40009, id: Pod.enumRoute, plain.filter { $0.0 != key } + [(key, value)]
        ).bytes
    }

    @Test("Sound parameters are accepted")
    func sound() {
        #expect(tryRoute(Pod.route(index: 3, name: "speaker", device: 1).bytes) == CPT_ACCEPTED)
        #expect(tryProfile(Pod.profile(index: 3, name: "off").bytes) == CPT_ACCEPTED)
        #expect(tryRoute(route(5, .none)) == CPT_ACCEPTED)
        #expect(tryRoute(route(1, .choice(.int(3)))) == CPT_ACCEPTED)
    }

    @Test("Malformed parameters are refused")
    func refused() {
        #expect(tryRoute([]) == CPT_REFUSED)
        #expect(tryProfile([]) == CPT_REFUSED)
        #expect(tryRoute(Pod.profile(index: 0, name: "p").bytes) == CPT_REFUSED)
        #expect(tryProfile(Pod.route(index: 0, name: "r").bytes) == CPT_REFUSED)
        #expect(tryRoute(route(1, .string("1"))) == CPT_REFUSED)
        #expect(tryRoute(route(4, .int(1))) == CPT_REFUSED)
        #expect(tryRoute(Pod.structure([]).bytes) == CPT_REFUSED)
        #expect(tryRoute(Pod.int(3).bytes) == CPT_REFUSED)
        #expect(tryRoute(Pod.raw(type: 15, size: 4, body: [9, 0, 4, 0]).bytes) == CPT_REFUSED)
    }

    @Test("A mute is read from properties that have one")
    func mute() {
        func tryMute(_ pod: Pod) -> cpt_outcome { cpt_try_mute(pod.bytes, pod.bytes.count) }
        #expect(tryMute(.props(isMuted: true)) == CPT_ACCEPTED)
        #expect(tryMute(.props(isMuted: nil)) == CPT_REFUSED)
        #expect(tryMute(.object(type: 0x40002, id: 2, [(Pod.mute, .int(1))])) == CPT_REFUSED)
        #expect(tryMute(.object(type: 0x40009, id: 2, [(Pod.mute, .bool(true))])) == CPT_REFUSED)
        #expect(tryMute(.none) == CPT_REFUSED)
        for claimed: UInt32 in [4, 100, 1 << 20, UInt32.max - 8] {
            let choice = Pod.raw(type: 19, size: 16, body: words([0, 0, claimed, 2]))
            #expect(tryMute(.object(type: 0x40002, id: 2, [(Pod.mute, choice)])) == CPT_REFUSED)
        }
        let whole = Pod.props(isMuted: true).bytes
        for length in 8..<whole.count { #expect(cpt_try_mute(Array(whole.prefix(length)), length) == CPT_REFUSED) }
    }

    @Test("Volumes are read from properties that have some, and invalid ones are refused")
    func volumes() {
        func tryVolumes(_ pod: Pod) -> cpt_outcome { cpt_try_volumes(pod.bytes, pod.bytes.count) }
        #expect(tryVolumes(.volumes([0, 0.5, 10])) == CPT_ACCEPTED)
        #expect(tryVolumes(.volumes(Array(repeating: 1, count: 1000))) == CPT_ACCEPTED)
        for bad: Float in [-1, .nan, .infinity, -.infinity] {
            #expect(tryVolumes(.volumes([1, bad])) == CPT_REFUSED)
        }
        #expect(tryVolumes(.volumes([])) == CPT_REFUSED)
        #expect(tryVolumes(.props(isMuted: true)) == CPT_REFUSED)
        #expect(tryVolumes(.object(type: 0x40002, id: 2, [(Pod.channelVolumes, .ints([1, 2]))])) == CPT_REFUSED)
        #expect(tryVolumes(.object(type: 0x40002, id: 2, [(Pod.channelVolumes, .float(1))])) == CPT_REFUSED)
        #expect(tryVolumes(.none) == CPT_REFUSED)
        for size: UInt32 in [0, 1, 3, 5, 8, 1024, 1 << 30] {
            let body = words([size, 6]) + Array(repeating: UInt8(0), count: 4096)
            let array = Pod.raw(type: 13, size: UInt32(body.count), body: body)
            #expect(tryVolumes(.object(type: 0x40002, id: 2, [(Pod.channelVolumes, array)])) == CPT_REFUSED)
        }
        let whole = Pod.volumes([1, 1]).bytes
        for length in 8..<whole.count { #expect(cpt_try_volumes(Array(whole.prefix(length)), length) != CPT_INSANE) }
    }

    @Test("A recording's format is the requested one, or none")
    func format() {
        #expect(cpt_format_is(48000, 2, 48000, 2))
        #expect(!cpt_format_is(44100, 2, 48000, 2))
        #expect(!cpt_format_is(48000, 1, 48000, 2))
    }

    @Test("An array whose values claim to be large does not overflow", arguments: [0, 1, 2, 3, 5, 8, 1024, 1 << 30])
    func arrayValueSize(_ size: UInt32) {
        let body = words([size, 4]) + Array(repeating: UInt8(7), count: 4096)
        for key: UInt32 in [9, 11] {
            #expect(tryRoute(route(key, .raw(type: 13, size: 4104, body: body))) != CPT_INSANE)
        }
    }

    @Test(
        "A choice that holds less than its value claims is not read",
        arguments: [4, 5, 100, 1 << 20, UInt32.max - 8])
    func emptyChoice(_ claimed: UInt32) {
        for type: UInt32 in [3, 4, 8, 13, 14, 15] {
            for key: UInt32 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 11] {
                let choice = Pod.raw(type: 19, size: 16, body: words([0, 0, claimed, type]))
                #expect(tryRoute(route(key, choice)) != CPT_INSANE, "type \(type) at \(key)")
            }
        }
        for key: UInt32 in [1, 2, 3, 4, 5] {
            let choice = Pod.raw(type: 19, size: 16, body: words([0, 0, claimed, 8]))
            let values: [(UInt32, Pod)] = [(1, .int(1)), (2, .string("p")), (key, choice)]
            let pod = Pod.object(type: 0x40007, id: Pod.enumProfile, values)
            #expect(tryProfile(pod.bytes) != CPT_INSANE)
        }
    }

    @Test("Every truncation is refused or sane")
    func truncation() {
        let route = Pod.route(index: 3, name: "speaker", device: 1).bytes
        for length in 8..<route.count { #expect(tryRoute(Array(route.prefix(length))) != CPT_INSANE) }
        let profile = Pod.profile(index: 3, name: "speaker").bytes
        for length in 8..<profile.count { #expect(tryProfile(Array(profile.prefix(length))) != CPT_INSANE) }
    }

    @Test("Deep nesting is limited")
    func deepNesting() {
        var nest = Pod.int(1)
        for _ in 0..<2000 { nest = .structure([.string("key"), nest]) }
        #expect(tryRoute(route(8, nest)) != CPT_INSANE)
        var choices = Pod.int(1)
        for _ in 0..<2000 { choices = .choice(choices) }
        for key: UInt32 in [1, 4, 8, 9] { #expect(tryRoute(route(key, choices)) != CPT_INSANE) }
    }

    @Test("Tens of thousands of mutated parameters are refused or sane", arguments: 0..<40)
    func mutations(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var accepted = 0
        for number in 0..<1000 {
            let isRoute = Bool.random(using: &random)
            let original =
                isRoute ? Pod.route(index: 3, name: "speaker", device: 1) : Pod.profile(index: 3, name: "HiFi")
            let pod = mutated(original.bytes, &random)
            let outcome = isRoute ? tryRoute(pod) : tryProfile(pod)
            #expect(outcome != CPT_INSANE, "seed \(seed), number \(number): \(pod)")
            if outcome == CPT_ACCEPTED { accepted += 1 }
        }
        // Otherwise the mutations are too coarse to test anything.
        #expect(accepted > 50)
    }

    @Test("A device with every kind of malformed parameter shows its valid ones, and affects no other")
    func overTheWire() async throws {
        let server = try TestServer()
        let bad = server.add(CPW_OBJECT_DEVICE, ["device.name": "bad", "media.class": "Audio/Device"])
        let good = server.add(CPW_OBJECT_DEVICE, ["device.name": "good", "media.class": "Audio/Device"])
        var random = SplitMix64(seed: 7)
        let sound = Pod.route(index: 1, name: "sound").bytes
        let damaged = (0..<250).map { _ in mutated(sound, &random) } + [[], Pod.none.bytes, Pod.int(3).bytes]
        for parameter in [CPW_PARAM_ENUM_ROUTE, CPW_PARAM_ROUTE, CPW_PARAM_ENUM_PROFILE, CPW_PARAM_PROFILE] {
            bad.set(parameter, damaged + [sound, Pod.profile(index: 4, name: "sound").bytes])
        }
        good.set(CPW_PARAM_ENUM_ROUTE, [sound])
        let client = try await GraphClient.connected(to: server)
        let devices = await client.registry.graph.devices
        #expect(devices[ObjectID(good.id)]?.routes.map(\.name) == ["sound"])
        #expect(devices[ObjectID(bad.id)]?.routes.last?.name == "sound")
        #expect(devices[ObjectID(bad.id)]?.activeRoutes.last?.name == "sound")
        #expect(devices[ObjectID(bad.id)]?.profiles.last?.name == "sound")
    }

    @Test("A device may answer without any parameter")
    func nothing() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, ["device.name": "card", "media.class": "Audio/Device"])
        for parameter in [CPW_PARAM_ENUM_ROUTE, CPW_PARAM_ROUTE, CPW_PARAM_ENUM_PROFILE, CPW_PARAM_PROFILE] {
            card.set(parameter, [[], []])
        }
        let client = try await GraphClient.connected(to: server)
        let device = await client.registry.graph.devices[ObjectID(card.id)]
        #expect(device?.routes == [] && device?.activeRoutes == [] && device?.profiles == [])
        #expect(device?.activeProfile == nil)
    }
}
