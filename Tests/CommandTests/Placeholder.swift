import Testing

@Test func `the Command test target links`() {}
