import Testing

@Test func `the Events test target links`() {}
