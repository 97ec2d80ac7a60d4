// Where things are and were made.

extension CSSearchableItemAttributeSet {
  /// A short text about it.
  public var headline: String? {
    get { self[text: "headline"] }
    set { self[text: "headline"] = newValue }
  }

  /// How to use or handle it.
  public var instructions: String? {
    get { self[text: "instructions"] }
    set { self[text: "instructions"] = newValue }
  }

  /// The street.
  public var thoroughfare: String? {
    get { self[text: "thoroughfare"] }
    set { self[text: "thoroughfare"] = newValue }
  }

  /// More of the street, such as the house's number.
  public var subThoroughfare: String? {
    get { self[text: "subThoroughfare"] }
    set { self[text: "subThoroughfare"] = newValue }
  }

  /// The postal code.
  public var postalCode: String? {
    get { self[text: "postalCode"] }
    set { self[text: "postalCode"] = newValue }
  }

  /// The city.
  public var city: String? {
    get { self[text: "city"] }
    set { self[text: "city"] = newValue }
  }

  /// The state or province.
  public var stateOrProvince: String? {
    get { self[text: "stateOrProvince"] }
    set { self[text: "stateOrProvince"] = newValue }
  }

  /// The country.
  public var country: String? {
    get { self[text: "country"] }
    set { self[text: "country"] = newValue }
  }

  /// The whole address.
  public var fullyFormattedAddress: String? {
    get { self[text: "fullyFormattedAddress"] }
    set { self[text: "fullyFormattedAddress"] = newValue }
  }

  /// Metres above the sea.
  public var altitude: NSNumber? {
    get { self[number: "altitude"] }
    set { self[number: "altitude"] = newValue }
  }

  /// Degrees north.
  public var latitude: NSNumber? {
    get { self[number: "latitude"] }
    set { self[number: "latitude"] = newValue }
  }

  /// Degrees east.
  public var longitude: NSNumber? {
    get { self[number: "longitude"] }
    set { self[number: "longitude"] = newValue }
  }

  /// Kilometres in an hour.
  public var speed: NSNumber? {
    get { self[number: "speed"] }
    set { self[number: "speed"] = newValue }
  }

  /// When it was there.
  public var timestamp: Date? {
    get { self[date: "timestamp"] }
    set { self[date: "timestamp"] = newValue }
  }

  /// Where the picture looks, in degrees.
  public var imageDirection: NSNumber? {
    get { self[number: "imageDirection"] }
    set { self[number: "imageDirection"] = newValue }
  }

  /// The name of the place.
  public var namedLocation: String? {
    get { self[text: "namedLocation"] }
    set { self[text: "namedLocation"] = newValue }
  }

  /// Direction of travel in degrees; in queries `GPSTrack`.
  public var gpsTrack: NSNumber? {
    get { self[number: "GPSTrack"] }
    set { self[number: "GPSTrack"] = newValue }
  }

  /// What the receiver said of itself; in queries `GPSStatus`.
  public var gpsStatus: String? {
    get { self[text: "GPSStatus"] }
    set { self[text: "GPSStatus"] = newValue }
  }

  /// How the place was measured; in queries `GPSMeasureMode`.
  public var gpsMeasureMode: String? {
    get { self[text: "GPSMeasureMode"] }
    set { self[text: "GPSMeasureMode"] = newValue }
  }

  /// How far off the measurement may be; in queries `GPSDOP`.
  public var gpsdop: NSNumber? {
    get { self[number: "GPSDOP"] }
    set { self[number: "GPSDOP"] = newValue }
  }

  /// The same as ``gpsdop``.
  public var gpsDOP: NSNumber? {
    get { self[number: "GPSDOP"] }
    set { self[number: "GPSDOP"] = newValue }
  }

  /// The geodetic survey used; in queries `GPSMapDatum`.
  public var gpsMapDatum: String? {
    get { self[text: "GPSMapDatum"] }
    set { self[text: "GPSMapDatum"] = newValue }
  }

  /// Degrees north of the destination; in queries `GPSDestLatitude`.
  public var gpsDestLatitude: NSNumber? {
    get { self[number: "GPSDestLatitude"] }
    set { self[number: "GPSDestLatitude"] = newValue }
  }

  /// Degrees east of the destination; in queries `GPSDestLongitude`.
  public var gpsDestLongitude: NSNumber? {
    get { self[number: "GPSDestLongitude"] }
    set { self[number: "GPSDestLongitude"] = newValue }
  }

  /// Bearing of the destination in degrees; in queries `GPSDestBearing`.
  public var gpsDestBearing: NSNumber? {
    get { self[number: "GPSDestBearing"] }
    set { self[number: "GPSDestBearing"] = newValue }
  }

  /// Distance to the destination; in queries `GPSDestDistance`.
  public var gpsDestDistance: NSNumber? {
    get { self[number: "GPSDestDistance"] }
    set { self[number: "GPSDestDistance"] = newValue }
  }

  /// How the place was found; in queries `GPSProcessingMethod`.
  public var gpsProcessingMethod: String? {
    get { self[text: "GPSProcessingMethod"] }
    set { self[text: "GPSProcessingMethod"] = newValue }
  }

  /// The name of the area; in queries `GPSAreaInformation`.
  public var gpsAreaInformation: String? {
    get { self[text: "GPSAreaInformation"] }
    set { self[text: "GPSAreaInformation"] = newValue }
  }

  /// When the place was measured; in queries `GPSDateStamp`.
  public var gpsDateStamp: Date? {
    get { self[date: "GPSDateStamp"] }
    set { self[date: "GPSDateStamp"] = newValue }
  }

  /// Whether the measurement was corrected; in queries `GPSDifferental`.
  public var gpsDifferental: NSNumber? {
    get { self[number: "GPSDifferental"] }
    set { self[number: "GPSDifferental"] = newValue }
  }
}
