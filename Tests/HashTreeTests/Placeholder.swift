import Testing

@Test func `the HashTree test target links`() {}
