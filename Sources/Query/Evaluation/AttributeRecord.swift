/// Anything that has attributes: the evaluator asks, the record answers with bytes it already
/// holds.
///
/// A record walks its attributes once for each `offer` and hands over those that are wanted:
///
/// ```
/// func offer(to probe: inout AttributeProbe) {
///   while !probe.isSettled, let (key, value) = cursor.next() {
///     guard probe.wants(key) else { continue }
///     probe.text(value)        // or integer, number, bool, date, other; once for each element
///   }
/// }
/// ```
///
/// Attributes that are null, and arrays without elements, are not offered: they count as missing.
package protocol AttributeRecord: ~Copyable, ~Escapable {
  /// Offers the wanted attributes, value by value, until the probe is settled.
  borrowing func offer(to probe: inout AttributeProbe)
}
