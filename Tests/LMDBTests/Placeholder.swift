import Testing

@Test func `the LMDB test target links`() {}
