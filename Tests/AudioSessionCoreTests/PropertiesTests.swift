import AudioSessionCore
import Testing

@Suite struct PropertiesTests {
    @Test(arguments: [("true", true), ("1", true), ("false", false), ("yes", false), ("", false)])
    func flagsReadAsPipeWireReadsThem(text: String, expected: Bool) {
        #expect(Properties([.nodeVirtual: text]).flag(.nodeVirtual) == expected)
    }

    @Test func invalidNumbersAreMissing() {
        let properties: Properties = [.deviceID: "-1", .cardProfileDevice: "x", .clientID: "4294967296"]
        #expect(properties.objectID(.deviceID) == nil)
        #expect(properties.integer(.cardProfileDevice) == nil)
        #expect(properties.objectID(.clientID) == nil)
    }
}
