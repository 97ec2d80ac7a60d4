/// The keys of a payload's map.
///
/// Part of the stored format: numbers never change and are never reused.
enum PayloadField: UInt8 {
  case item = 1
  case domain = 2
  case time = 3
  case attributes = 4
  case expires = 5
  case actor = 6
  case source = 7
  case session = 8
  case query = 9
  case position = 10
  case shown = 11
  case dwell = 12
  case latency = 13
  case deliberate = 14
  case all = 15
  case extras = 16

  static let count = 16
}
