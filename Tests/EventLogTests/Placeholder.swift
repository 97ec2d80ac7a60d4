import Testing

@Test func `the EventLog test target links`() {}
