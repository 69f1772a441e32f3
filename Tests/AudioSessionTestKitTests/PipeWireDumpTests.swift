import Testing

@Suite struct X { @Test func x() {} }
