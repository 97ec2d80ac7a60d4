import Testing

@Test func `the Text test target links`() {}
