// The types that Apple's systems declare, as their reference lists them.

extension UTType {
  /// A file, folder or anything else in a file system: `public.item`.
  public static let item = UTType(declared: "public.item")

  /// Any content that a person made: `public.content`.
  public static let content = UTType(declared: "public.content")

  /// Content of several kinds, such as a document with pictures: `public.composite-content`.
  public static let compositeContent = UTType(declared: "public.composite-content")

  /// A stream of bytes: `public.data`.
  public static let data = UTType(declared: "public.data")

  /// A database: `public.database`.
  public static let database = UTType(declared: "public.database")

  /// An image of a disk: `public.disk-image`.
  public static let diskImage = UTType(declared: "public.disk-image")

  /// A directory: `public.directory`.
  public static let directory = UTType(declared: "public.directory")

  /// A folder that a person sees: `public.folder`.
  public static let folder = UTType(declared: "public.folder")

  /// A directory that looks like a file: `com.apple.package`.
  public static let package = UTType(declared: "com.apple.package")

  /// A directory with a bundle's inner order: `com.apple.bundle`.
  public static let bundle = UTType(declared: "com.apple.bundle")

  /// Files in one: `public.archive`.
  public static let archive = UTType(declared: "public.archive")

  /// A zip archive: `public.zip-archive`.
  public static let zip = UTType(declared: "public.zip-archive")

  /// A gzip archive: `org.gnu.gnu-zip-archive`.
  public static let gzip = UTType(declared: "org.gnu.gnu-zip-archive")

  /// A bzip2 archive: `public.bzip2-archive`.
  public static let bz2 = UTType(declared: "public.bzip2-archive")

  /// A program: `public.executable`.
  public static let executable = UTType(declared: "public.executable")

  /// Text of any kind, with markup or without: `public.text`.
  public static let text = UTType(declared: "public.text")

  /// Text without markup: `public.plain-text`.
  public static let plainText = UTType(declared: "public.plain-text")

  /// Plain text in UTF-8: `public.utf8-plain-text`.
  public static let utf8PlainText = UTType(declared: "public.utf8-plain-text")

  /// Plain text in UTF-16: `public.utf16-plain-text`.
  public static let utf16PlainText = UTType(declared: "public.utf16-plain-text")

  /// Values between delimiters: `public.delimited-values-text`.
  public static let delimitedText = UTType(declared: "public.delimited-values-text")

  /// Values between commas: `public.comma-separated-values-text`.
  public static let commaSeparatedText = UTType(declared: "public.comma-separated-values-text")

  /// Values between tabulators: `public.tab-separated-values-text`.
  public static let tabSeparatedText = UTType(declared: "public.tab-separated-values-text")

  /// Rich text: `public.rtf`.
  public static let rtf = UTType(declared: "public.rtf")

  /// Rich text with attachments: `com.apple.rtfd`.
  public static let rtfd = UTType(declared: "com.apple.rtfd")

  /// Rich text with attachments in one file: `com.apple.flat-rtfd`.
  public static let flatRTFD = UTType(declared: "com.apple.flat-rtfd")

  /// A web page: `public.html`.
  public static let html = UTType(declared: "public.html")

  /// XML: `public.xml`.
  public static let xml = UTType(declared: "public.xml")

  /// YAML: `public.yaml`.
  public static let yaml = UTType(declared: "public.yaml")

  /// JSON: `public.json`.
  public static let json = UTType(declared: "public.json")

  /// A property list: `com.apple.property-list`.
  public static let propertyList = UTType(declared: "com.apple.property-list")

  /// A property list in XML: `com.apple.xml-property-list`.
  public static let xmlPropertyList = UTType(declared: "com.apple.xml-property-list")

  /// A property list in binary form: `com.apple.binary-property-list`.
  public static let binaryPropertyList = UTType(declared: "com.apple.binary-property-list")

  /// Source code: `public.source-code`.
  public static let sourceCode = UTType(declared: "public.source-code")

  /// Source code in Swift: `public.swift-source`.
  public static let swiftSource = UTType(declared: "public.swift-source")

  /// Source code in C: `public.c-source`.
  public static let cSource = UTType(declared: "public.c-source")

  /// Source code in Objective-C: `public.objective-c-source`.
  public static let objectiveCSource = UTType(declared: "public.objective-c-source")

  /// Source code in C++: `public.c-plus-plus-source`.
  public static let cPlusPlusSource = UTType(declared: "public.c-plus-plus-source")

  /// A header of C: `public.c-header`.
  public static let cHeader = UTType(declared: "public.c-header")

  /// Source code of a script: `public.script`.
  public static let script = UTType(declared: "public.script")

  /// A shell script: `public.shell-script`.
  public static let shellScript = UTType(declared: "public.shell-script")

  /// A Python script: `public.python-script`.
  public static let pythonScript = UTType(declared: "public.python-script")

  /// A Ruby script: `public.ruby-script`.
  public static let rubyScript = UTType(declared: "public.ruby-script")

  /// A Perl script: `public.perl-script`.
  public static let perlScript = UTType(declared: "public.perl-script")

  /// A JavaScript program: `com.netscape.javascript-source`.
  public static let javaScript = UTType(declared: "com.netscape.javascript-source")

  /// A URL: `public.url`.
  public static let url = UTType(declared: "public.url")

  /// The URL of a file: `public.file-url`.
  public static let fileURL = UTType(declared: "public.file-url")

  /// A bookmark in a file: `com.microsoft.internet-shortcut`.
  public static let internetShortcut = UTType(declared: "com.microsoft.internet-shortcut")

  /// Contacts: `public.vcard`.
  public static let vCard = UTType(declared: "public.vcard")

  /// A contact: `public.contact`.
  public static let contact = UTType(declared: "public.contact")

  /// A message: `public.message`.
  public static let message = UTType(declared: "public.message")

  /// A message by electronic mail: `public.email-message`.
  public static let emailMessage = UTType(declared: "public.email-message")

  /// An event of a calendar: `public.calendar-event`.
  public static let calendarEvent = UTType(declared: "public.calendar-event")

  /// A thing to do: `public.to-do-item`.
  public static let toDoItem = UTType(declared: "public.to-do-item")

  /// A bookmark: `public.bookmark`.
  public static let bookmark = UTType(declared: "public.bookmark")

  /// A symbolic link: `public.symlink`.
  public static let symbolicLink = UTType(declared: "public.symlink")

  /// Something that stands for another thing: `com.apple.resolvable`.
  public static let resolvable = UTType(declared: "com.apple.resolvable")

  /// A document in PDF: `com.adobe.pdf`.
  public static let pdf = UTType(declared: "com.adobe.pdf")

  /// A presentation: `public.presentation`.
  public static let presentation = UTType(declared: "public.presentation")

  /// A spreadsheet: `public.spreadsheet`.
  public static let spreadsheet = UTType(declared: "public.spreadsheet")

  /// An electronic book: `org.idpf.epub-container`.
  public static let epub = UTType(declared: "org.idpf.epub-container")

  /// A font: `public.font`.
  public static let font = UTType(declared: "public.font")

  /// A log: `public.log`.
  public static let log = UTType(declared: "public.log")

  /// A picture: `public.image`.
  public static let image = UTType(declared: "public.image")

  /// A picture in JPEG: `public.jpeg`.
  public static let jpeg = UTType(declared: "public.jpeg")

  /// A picture in PNG: `public.png`.
  public static let png = UTType(declared: "public.png")

  /// A picture in GIF: `com.compuserve.gif`.
  public static let gif = UTType(declared: "com.compuserve.gif")

  /// A picture in TIFF: `public.tiff`.
  public static let tiff = UTType(declared: "public.tiff")

  /// A picture in BMP: `com.microsoft.bmp`.
  public static let bmp = UTType(declared: "com.microsoft.bmp")

  /// An icon of Windows: `com.microsoft.ico`.
  public static let ico = UTType(declared: "com.microsoft.ico")

  /// An icon of macOS: `com.apple.icns`.
  public static let icns = UTType(declared: "com.apple.icns")

  /// A picture in SVG: `public.svg-image`.
  public static let svg = UTType(declared: "public.svg-image")

  /// A picture in WebP: `org.webmproject.webp`.
  public static let webP = UTType(declared: "org.webmproject.webp")

  /// A picture in HEIF: `public.heif-standard`.
  public static let heif = UTType(declared: "public.heif-standard")

  /// A picture in HEIC: `public.heic`.
  public static let heic = UTType(declared: "public.heic")

  /// A picture as the camera saw it: `public.camera-raw-image`.
  public static let rawImage = UTType(declared: "public.camera-raw-image")

  /// A picture that moves: `com.apple.live-photo`.
  public static let livePhoto = UTType(declared: "com.apple.live-photo")

  /// Sound or moving pictures: `public.audiovisual-content`.
  public static let audiovisualContent = UTType(declared: "public.audiovisual-content")

  /// Moving pictures with or without sound: `public.movie`.
  public static let movie = UTType(declared: "public.movie")

  /// Moving pictures without sound: `public.video`.
  public static let video = UTType(declared: "public.video")

  /// Sound: `public.audio`.
  public static let audio = UTType(declared: "public.audio")

  /// A film in QuickTime: `com.apple.quicktime-movie`.
  public static let quickTimeMovie = UTType(declared: "com.apple.quicktime-movie")

  /// A film in MPEG-1 or -2: `public.mpeg`.
  public static let mpeg = UTType(declared: "public.mpeg")

  /// A video in MPEG-2: `public.mpeg-2-video`.
  public static let mpeg2Video = UTType(declared: "public.mpeg-2-video")

  /// A film in MPEG-4: `public.mpeg-4`.
  public static let mpeg4Movie = UTType(declared: "public.mpeg-4")

  /// A protected film: `com.apple.protected-mpeg-4-video`.
  public static let appleProtectedMPEG4Video = UTType(declared: "com.apple.protected-mpeg-4-video")

  /// A film in AVI: `public.avi`.
  public static let avi = UTType(declared: "public.avi")

  /// Sound in MP3: `public.mp3`.
  public static let mp3 = UTType(declared: "public.mp3")

  /// Sound in MPEG-4: `public.mpeg-4-audio`.
  public static let mpeg4Audio = UTType(declared: "public.mpeg-4-audio")

  /// Protected sound: `com.apple.protected-mpeg-4-audio`.
  public static let appleProtectedMPEG4Audio = UTType(declared: "com.apple.protected-mpeg-4-audio")

  /// Sound in WAV: `com.microsoft.waveform-audio`.
  public static let wav = UTType(declared: "com.microsoft.waveform-audio")

  /// Sound in AIFF: `public.aiff-audio`.
  public static let aiff = UTType(declared: "public.aiff-audio")

  /// Music in MIDI: `public.midi-audio`.
  public static let midi = UTType(declared: "public.midi-audio")

  /// A playlist: `public.playlist`.
  public static let playlist = UTType(declared: "public.playlist")

  /// A playlist in M3U: `public.m3u-playlist`.
  public static let m3uPlaylist = UTType(declared: "public.m3u-playlist")

  /// Content in three dimensions: `public.3d-content`.
  public static let threeDContent = UTType(declared: "public.3d-content")

  /// A scene in USD: `com.pixar.universal-scene-description`.
  public static let usd = UTType(declared: "com.pixar.universal-scene-description")

  /// A scene in USDZ: `com.pixar.universal-scene-description-mobile`.
  public static let usdz = UTType(declared: "com.pixar.universal-scene-description-mobile")

  /// An application: `com.apple.application`.
  public static let application = UTType(declared: "com.apple.application")

  /// An application in a bundle: `com.apple.application-bundle`.
  public static let applicationBundle = UTType(declared: "com.apple.application-bundle")

  /// A framework: `com.apple.framework`.
  public static let framework = UTType(declared: "com.apple.framework")

  /// A key with its certificate: `com.rsa.pkcs-12`.
  public static let pkcs12 = UTType(declared: "com.rsa.pkcs-12")

  /// A certificate: `public.x509-certificate`.
  public static let x509Certificate = UTType(declared: "public.x509-certificate")

  /// A volume: `public.volume`.
  public static let volume = UTType(declared: "public.volume")

  /// A place where a volume is mounted: `com.apple.mount-point`.
  public static let mountPoint = UTType(declared: "com.apple.mount-point")

  /// An alias: `com.apple.alias-file`.
  public static let aliasFile = UTType(declared: "com.apple.alias-file")

  /// A program of Unix: `public.unix-executable`.
  public static let unixExecutable = UTType(declared: "public.unix-executable")

  /// A program of Windows: `com.microsoft.windows-executable`.
  public static let exe = UTType(declared: "com.microsoft.windows-executable")
}
