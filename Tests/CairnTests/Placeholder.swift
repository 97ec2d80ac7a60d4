import Testing

@Test func `the Cairn test target links`() {}
