import Crawling
import Testing

/// URLs that wait to be fetched.
@Suite struct CrawlQueueTests {
  private func fill(_ queue: inout CrawlQueue, _ url: String) {
    let entry = CrawlQueue.Entry(url: url, depth: 1)
    while queue.hasRoom { queue.push(entry, host: "h.test") }
  }

  @Test func `a queue has room for so many URLs and so many bytes of them`() {
    var long = CrawlQueue()
    fill(&long, "http://h.test/" + String(repeating: "a", count: 4_000))
    #expect(long.count > 16_000 && long.count < 17_000)
    let taken = long.next()?.entry
    #expect(taken != nil && long.hasRoom)
    var short = CrawlQueue()
    fill(&short, "http://h.test/")
    #expect(short.count == 500_000)
  }
}
