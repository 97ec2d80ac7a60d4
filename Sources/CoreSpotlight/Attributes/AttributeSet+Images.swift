// Pictures.

extension CSSearchableItemAttributeSet {
  /// Height in pixels.
  public var pixelHeight: NSNumber? {
    get { self[number: "pixelHeight"] }
    set { self[number: "pixelHeight"] = newValue }
  }

  /// Width in pixels.
  public var pixelWidth: NSNumber? {
    get { self[number: "pixelWidth"] }
    set { self[number: "pixelWidth"] = newValue }
  }

  /// How many pixels it has.
  public var pixelCount: NSNumber? {
    get { self[number: "pixelCount"] }
    set { self[number: "pixelCount"] = newValue }
  }

  /// The model of its colours.
  public var colorSpace: String? {
    get { self[text: "colorSpace"] }
    set { self[text: "colorSpace"] = newValue }
  }

  /// Bits in a sample.
  public var bitsPerSample: NSNumber? {
    get { self[number: "bitsPerSample"] }
    set { self[number: "bitsPerSample"] = newValue }
  }

  /// Whether a flash was used; in queries `flashOn`.
  public var isFlashOn: NSNumber? {
    get { self[flag: "flashOn"] }
    set { self[flag: "flashOn"] = newValue }
  }

  /// The same as ``isFlashOn``.
  public var flashOn: NSNumber? {
    get { self[flag: "flashOn"] }
    set { self[flag: "flashOn"] = newValue }
  }

  /// Focal length in millimetres.
  public var focalLength: NSNumber? {
    get { self[number: "focalLength"] }
    set { self[number: "focalLength"] = newValue }
  }

  /// Whether the focal length is that of 35 mm film; in queries `focalLength35mm`.
  public var isFocalLength35mm: NSNumber? {
    get { self[flag: "focalLength35mm"] }
    set { self[flag: "focalLength35mm"] = newValue }
  }

  /// The same as ``isFocalLength35mm``.
  public var focalLength35mm: NSNumber? {
    get { self[flag: "focalLength35mm"] }
    set { self[flag: "focalLength35mm"] = newValue }
  }

  /// Who made the camera.
  public var acquisitionMake: String? {
    get { self[text: "acquisitionMake"] }
    set { self[text: "acquisitionMake"] = newValue }
  }

  /// Which camera it was.
  public var acquisitionModel: String? {
    get { self[text: "acquisitionModel"] }
    set { self[text: "acquisitionModel"] = newValue }
  }

  /// Whose camera it was.
  public var cameraOwner: String? {
    get { self[text: "cameraOwner"] }
    set { self[text: "cameraOwner"] = newValue }
  }

  /// Which lens it was.
  public var lensModel: String? {
    get { self[text: "lensModel"] }
    set { self[text: "lensModel"] = newValue }
  }

  /// The sensitivity of the film; in queries `ISOSpeed`.
  public var isoSpeed: NSNumber? {
    get { self[number: "ISOSpeed"] }
    set { self[number: "ISOSpeed"] = newValue }
  }

  /// How it lies: 0 landscape, 1 portrait.
  public var orientation: NSNumber? {
    get { self[number: "orientation"] }
    set { self[number: "orientation"] = newValue }
  }

  /// The names of its layers.
  public var layerNames: [String]? {
    get { self[texts: "layerNames"] }
    set { self[texts: "layerNames"] = newValue }
  }

  /// White balance: 0 automatic, 1 by hand.
  public var whiteBalance: NSNumber? {
    get { self[number: "whiteBalance"] }
    set { self[number: "whiteBalance"] = newValue }
  }

  /// Aperture in APEX units.
  public var aperture: NSNumber? {
    get { self[number: "aperture"] }
    set { self[number: "aperture"] = newValue }
  }

  /// The name of its colour profile.
  public var profileName: String? {
    get { self[text: "profileName"] }
    set { self[text: "profileName"] = newValue }
  }

  /// Dots in an inch of width.
  public var resolutionWidthDPI: NSNumber? {
    get { self[number: "resolutionWidthDPI"] }
    set { self[number: "resolutionWidthDPI"] = newValue }
  }

  /// Dots in an inch of height.
  public var resolutionHeightDPI: NSNumber? {
    get { self[number: "resolutionHeightDPI"] }
    set { self[number: "resolutionHeightDPI"] = newValue }
  }

  /// Exposure: 0 automatic, 1 by hand, 2 bracketed.
  public var exposureMode: NSNumber? {
    get { self[number: "exposureMode"] }
    set { self[number: "exposureMode"] = newValue }
  }

  /// Exposure in seconds.
  public var exposureTime: NSNumber? {
    get { self[number: "exposureTime"] }
    set { self[number: "exposureTime"] = newValue }
  }

  /// The version of its EXIF data; in queries `EXIFVersion`.
  public var exifVersion: String? {
    get { self[text: "EXIFVersion"] }
    set { self[text: "EXIFVersion"] = newValue }
  }

  /// The version of its GPS data; in queries `EXIFGPSVersion`.
  public var exifGPSVersion: String? {
    get { self[text: "EXIFGPSVersion"] }
    set { self[text: "EXIFGPSVersion"] = newValue }
  }

  /// The same as ``exifGPSVersion``.
  public var exifgpsVersion: String? {
    get { self[text: "EXIFGPSVersion"] }
    set { self[text: "EXIFGPSVersion"] = newValue }
  }

  /// Whether it can be seen through.
  public var hasAlphaChannel: NSNumber? {
    get { self[flag: "hasAlphaChannel"] }
    set { self[flag: "hasAlphaChannel"] = newValue }
  }

  /// Whether red eyes were reduced; in queries `redEyeOn`.
  public var isRedEyeOn: NSNumber? {
    get { self[flag: "redEyeOn"] }
    set { self[flag: "redEyeOn"] = newValue }
  }

  /// The same as ``isRedEyeOn``.
  public var redEyeOn: NSNumber? {
    get { self[flag: "redEyeOn"] }
    set { self[flag: "redEyeOn"] = newValue }
  }

  /// How light was measured.
  public var meteringMode: String? {
    get { self[text: "meteringMode"] }
    set { self[text: "meteringMode"] = newValue }
  }

  /// The smallest f-number of the lens in APEX units.
  public var maxAperture: NSNumber? {
    get { self[number: "maxAperture"] }
    set { self[number: "maxAperture"] = newValue }
  }

  /// The f-number.
  public var fNumber: NSNumber? {
    get { self[number: "fNumber"] }
    set { self[number: "fNumber"] = newValue }
  }

  /// The program of the exposure.
  public var exposureProgram: String? {
    get { self[text: "exposureProgram"] }
    set { self[text: "exposureProgram"] = newValue }
  }

  /// The exposure as text.
  public var exposureTimeString: String? {
    get { self[text: "exposureTimeString"] }
    set { self[text: "exposureTimeString"] = newValue }
  }
}
