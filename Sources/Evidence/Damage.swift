package import Values

extension CairnError {
  package init(_ error: CairnError) { self = error }
}

/// Runs the body; a call from when layers had errors of their own.
package func publicly<R: ~Copyable>(_ body: () throws(CairnError) -> R) throws(CairnError) -> R {
  try body()
}

/// Adds the place to an error that tells none.
package func checking<R>(_ place: String? = nil, _ body: () throws(CairnError) -> R)
  throws(CairnError) -> R
{
  do { return try body() } catch {
    throw CairnError(error.code, error.message, place: error.place ?? place, at: error.offset)
  }
}

/// Reads what is the store's own, where a fault of any kind is damage.
package func trusting<R>(_ place: String, _ body: () throws(CairnError) -> R) throws(CairnError)
  -> R
{
  do { return try body() } catch { throw error.asDamage(in: place) }
}
