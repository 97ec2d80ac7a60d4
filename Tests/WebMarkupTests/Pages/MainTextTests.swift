import Testing
import WebMarkup

/// The text that a page is about.
@Suite struct MainTextTests {
  @Test(arguments: [
    ("<div>Story</div><aside><article>Teaser</article></aside>", "Story"),
    ("<dialog><main>Cookies</main></dialog><p>Story", "Story"),
    ("<nav>x</nav><article>Story</article><footer><article>Next</article></footer><p>y", "Story"),
    ("<p>x<div hidden><main>Story</main></div>", "Story"),
    ("<p>x<main hidden>y</main><main>Story</main>", "Story"),
    // Nothing of these may have a main element in it: it was left open.
    ("<a>Skip</a><header><nav>Menu</nav><main>Story</main><footer>x</footer>", "Story"),
    ("<nav>Menu<aside><p>x<div role=main>Story</div><article>y</article>", "Story"),
    ("<header><main>Cookies</main></header><main>Story</main>", "Story"),
    ("<header><main>Cookies</main></header><article>Story</article>", "Story"),
    ("<header><main>Cookies</main></header><p>Story", "Story"),
    ("<div><header><main>Story</main></div><footer>x</footer><script>y</script>", "Story"),
    ("<p>Story<header><dialog><main>Cookies</main></dialog><main hidden>x</main>", "Story"),
  ])
  func `what stands around a main text is none, whatever it holds`(html: String, text: String) {
    #expect(page("<title>t</title>" + html).text == text)
  }

  @Test(arguments: [
    ("wo<script>x</script>rd <b>a</b><style>x</style>b", "word ab"),
    ("<i itemscope>$<meta itemprop=a content=x>5<link itemprop=b href=x></i>0", "$50"),
    ("<div>a<script></script></div>b<p>c<template>x</template><p>d<nav>x</nav>e", "a b c d e"),
    ("a<span hidden>x</span>b<br>c<img src=x>d<svg></svg>e", "ab c d e"),
    ("a<span role=search>x</span>b<i role=img>c</i>", "a bc"),
  ])
  func `what nobody sees parts no words`(html: String, text: String) {
    #expect(page("<title>t</title><body>" + html).text == text)
  }
}
