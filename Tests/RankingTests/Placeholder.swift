import Testing

@Test func `the Ranking test target links`() {}
