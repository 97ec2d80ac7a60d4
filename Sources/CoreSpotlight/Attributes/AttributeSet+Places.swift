// Where things are and were made.

extension CSSearchableItemAttributeSet.KnownAttributes {
  /// A short text about it.
  public var headline: Attribute<String> { .text("headline") }
  /// How to use or handle it.
  public var instructions: Attribute<String> { .text("instructions") }
  /// The street.
  public var thoroughfare: Attribute<String> { .text("thoroughfare") }
  /// More of the street, such as the house's number.
  public var subThoroughfare: Attribute<String> { .text("subThoroughfare") }
  /// The postal code.
  public var postalCode: Attribute<String> { .text("postalCode") }
  /// The city.
  public var city: Attribute<String> { .text("city") }
  /// The state or province.
  public var stateOrProvince: Attribute<String> { .text("stateOrProvince") }
  /// The country.
  public var country: Attribute<String> { .text("country") }
  /// The whole address.
  public var fullyFormattedAddress: Attribute<String> { .text("fullyFormattedAddress") }
  /// Metres above the sea.
  public var altitude: Attribute<NSNumber> { .number("altitude") }
  /// Degrees north.
  public var latitude: Attribute<NSNumber> { .number("latitude") }
  /// Degrees east.
  public var longitude: Attribute<NSNumber> { .number("longitude") }
  /// Kilometres in an hour.
  public var speed: Attribute<NSNumber> { .number("speed") }
  /// When it was there.
  public var timestamp: Attribute<Date> { .date("timestamp") }
  /// Where the picture looks, in degrees.
  public var imageDirection: Attribute<NSNumber> { .number("imageDirection") }
  /// The name of the place.
  public var namedLocation: Attribute<String> { .text("namedLocation") }
  /// Direction of travel in degrees; in queries `GPSTrack`.
  public var gpsTrack: Attribute<NSNumber> { .number("GPSTrack") }
  /// What the receiver said of itself; in queries `GPSStatus`.
  public var gpsStatus: Attribute<String> { .text("GPSStatus") }
  /// How the place was measured; in queries `GPSMeasureMode`.
  public var gpsMeasureMode: Attribute<String> { .text("GPSMeasureMode") }
  /// How far off the measurement may be; in queries `GPSDOP`.
  public var gpsdop: Attribute<NSNumber> { .number("GPSDOP") }
  /// The same as ``gpsdop``.
  public var gpsDOP: Attribute<NSNumber> { .number("GPSDOP") }
  /// The geodetic survey used; in queries `GPSMapDatum`.
  public var gpsMapDatum: Attribute<String> { .text("GPSMapDatum") }
  /// Degrees north of the destination; in queries `GPSDestLatitude`.
  public var gpsDestLatitude: Attribute<NSNumber> { .number("GPSDestLatitude") }
  /// Degrees east of the destination; in queries `GPSDestLongitude`.
  public var gpsDestLongitude: Attribute<NSNumber> { .number("GPSDestLongitude") }
  /// Bearing of the destination in degrees; in queries `GPSDestBearing`.
  public var gpsDestBearing: Attribute<NSNumber> { .number("GPSDestBearing") }
  /// Distance to the destination; in queries `GPSDestDistance`.
  public var gpsDestDistance: Attribute<NSNumber> { .number("GPSDestDistance") }
  /// How the place was found; in queries `GPSProcessingMethod`.
  public var gpsProcessingMethod: Attribute<String> { .text("GPSProcessingMethod") }
  /// The name of the area; in queries `GPSAreaInformation`.
  public var gpsAreaInformation: Attribute<String> { .text("GPSAreaInformation") }
  /// When the place was measured; in queries `GPSDateStamp`.
  public var gpsDateStamp: Attribute<Date> { .date("GPSDateStamp") }
  /// Whether the measurement was corrected; in queries `GPSDifferental`.
  public var gpsDifferental: Attribute<NSNumber> { .number("GPSDifferental") }
}
