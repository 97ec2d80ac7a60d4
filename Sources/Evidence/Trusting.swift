package import Values

/// Reads what is the store's own, where a fault of any kind is damage.
package func trusting<R>(_ place: String, _ body: () throws(CairnError) -> R) throws(CairnError)
  -> R
{
  do { return try body() } catch { throw error.asDamage(in: place) }
}
