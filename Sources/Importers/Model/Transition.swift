/// How a page came to be shown, in the words of the events' key `transition`.
package enum Transition: String, Sendable {
  /// Only led elsewhere.
  case redirect
  /// Shown again.
  case reload
  /// A part of another page.
  case embed
  /// Not asked for by a person.
  case auto
  case link, typed, bookmark, generated, form, keyword, download
}
