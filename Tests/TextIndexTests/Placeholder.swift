import Testing

@Test func `the TextIndex test target links`() {}
