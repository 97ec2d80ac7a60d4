import Testing

@Test func `the Query test target links`() {}
