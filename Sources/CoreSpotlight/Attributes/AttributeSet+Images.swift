// Pictures.

extension CSSearchableItemAttributeSet.KnownAttributes {
  /// Height in pixels.
  public var pixelHeight: Attribute<NSNumber> { .number("pixelHeight") }
  /// Width in pixels.
  public var pixelWidth: Attribute<NSNumber> { .number("pixelWidth") }
  /// How many pixels it has.
  public var pixelCount: Attribute<NSNumber> { .number("pixelCount") }
  /// The model of its colours.
  public var colorSpace: Attribute<String> { .text("colorSpace") }
  /// Bits in a sample.
  public var bitsPerSample: Attribute<NSNumber> { .number("bitsPerSample") }
  /// Whether a flash was used; in queries `flashOn`.
  public var isFlashOn: Attribute<NSNumber> { .flag("flashOn") }
  /// The same as ``isFlashOn``.
  public var flashOn: Attribute<NSNumber> { .flag("flashOn") }
  /// Focal length in millimetres.
  public var focalLength: Attribute<NSNumber> { .number("focalLength") }
  /// Whether the focal length is that of 35 mm film; in queries `focalLength35mm`.
  public var isFocalLength35mm: Attribute<NSNumber> { .flag("focalLength35mm") }
  /// The same as ``isFocalLength35mm``.
  public var focalLength35mm: Attribute<NSNumber> { .flag("focalLength35mm") }
  /// Who made the camera.
  public var acquisitionMake: Attribute<String> { .text("acquisitionMake") }
  /// Which camera it was.
  public var acquisitionModel: Attribute<String> { .text("acquisitionModel") }
  /// Whose camera it was.
  public var cameraOwner: Attribute<String> { .text("cameraOwner") }
  /// Which lens it was.
  public var lensModel: Attribute<String> { .text("lensModel") }
  /// The sensitivity of the film; in queries `ISOSpeed`.
  public var isoSpeed: Attribute<NSNumber> { .number("ISOSpeed") }
  /// How it lies: 0 landscape, 1 portrait.
  public var orientation: Attribute<NSNumber> { .number("orientation") }
  /// The names of its layers.
  public var layerNames: Attribute<[String]> { .texts("layerNames") }
  /// White balance: 0 automatic, 1 by hand.
  public var whiteBalance: Attribute<NSNumber> { .number("whiteBalance") }
  /// Aperture in APEX units.
  public var aperture: Attribute<NSNumber> { .number("aperture") }
  /// The name of its colour profile.
  public var profileName: Attribute<String> { .text("profileName") }
  /// Dots in an inch of width.
  public var resolutionWidthDPI: Attribute<NSNumber> { .number("resolutionWidthDPI") }
  /// Dots in an inch of height.
  public var resolutionHeightDPI: Attribute<NSNumber> { .number("resolutionHeightDPI") }
  /// Exposure: 0 automatic, 1 by hand, 2 bracketed.
  public var exposureMode: Attribute<NSNumber> { .number("exposureMode") }
  /// Exposure in seconds.
  public var exposureTime: Attribute<NSNumber> { .number("exposureTime") }
  /// The version of its EXIF data; in queries `EXIFVersion`.
  public var exifVersion: Attribute<String> { .text("EXIFVersion") }
  /// The version of its GPS data; in queries `EXIFGPSVersion`.
  public var exifGPSVersion: Attribute<String> { .text("EXIFGPSVersion") }
  /// The same as ``exifGPSVersion``.
  public var exifgpsVersion: Attribute<String> { .text("EXIFGPSVersion") }
  /// Whether it can be seen through.
  public var hasAlphaChannel: Attribute<NSNumber> { .flag("hasAlphaChannel") }
  /// Whether red eyes were reduced; in queries `redEyeOn`.
  public var isRedEyeOn: Attribute<NSNumber> { .flag("redEyeOn") }
  /// The same as ``isRedEyeOn``.
  public var redEyeOn: Attribute<NSNumber> { .flag("redEyeOn") }
  /// How light was measured.
  public var meteringMode: Attribute<String> { .text("meteringMode") }
  /// The smallest f-number of the lens in APEX units.
  public var maxAperture: Attribute<NSNumber> { .number("maxAperture") }
  /// The f-number.
  public var fNumber: Attribute<NSNumber> { .number("fNumber") }
  /// The program of the exposure.
  public var exposureProgram: Attribute<String> { .text("exposureProgram") }
  /// The exposure as text.
  public var exposureTimeString: Attribute<String> { .text("exposureTimeString") }
}
