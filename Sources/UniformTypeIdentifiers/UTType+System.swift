// The types that Apple's systems declare, as their reference lists them: each once.

extension UTType {
  /// A file, folder or anything else in a file system: `public.item`.
  public static let item = declare("public.item")
  /// Any content that a person made: `public.content`.
  public static let content = declare("public.content")
  /// Content of several kinds, such as a document with pictures: `public.composite-content`.
  public static let compositeContent = declare("public.composite-content", ["public.content"])
  /// A stream of bytes: `public.data`.
  public static let data = declare("public.data", ["public.item"])
  /// A database: `public.database`.
  public static let database = declare("public.database")
  /// An image of a disk: `public.disk-image`.
  public static let diskImage = declare("public.disk-image", ["public.archive"])
  /// A directory: `public.directory`.
  public static let directory = declare("public.directory", ["public.item"])
  /// A folder that a person sees: `public.folder`.
  public static let folder = declare("public.folder", ["public.directory"])
  /// Files in one: `public.archive`.
  public static let archive = declare("public.archive")
  /// A zip archive: `public.zip-archive`.
  public static let zip = declare(
    "public.zip-archive", ["com.pkware.zip-archive"], extensions: ["zip"],
    types: ["application/zip"])
  /// What is packed as zip: `com.pkware.zip-archive`.
  static let pkwareZip = declare("com.pkware.zip-archive", ["public.data", "public.archive"])
  /// A gzip archive: `org.gnu.gnu-zip-archive`.
  public static let gzip = declare(
    "org.gnu.gnu-zip-archive", ["public.data", "public.archive"], extensions: ["gz", "gzip"],
    types: ["application/gzip"])
  /// A bzip2 archive: `public.bzip2-archive`.
  public static let bz2 = declare(
    "public.bzip2-archive", ["public.data", "public.archive"], extensions: ["bz2"],
    types: ["application/x-bzip2"])
  /// A tar archive: `public.tar-archive`.
  public static let tarArchive = declare(
    "public.tar-archive", ["public.data", "public.archive"], extensions: ["tar"],
    types: ["application/x-tar"])
  /// An archive in Apple's own format: `com.apple.archive`.
  public static let appleArchive = declare(
    "com.apple.archive", ["public.data", "public.archive"], extensions: ["aar"])
  /// Text of any kind, with markup or without: `public.text`.
  public static let text = declare("public.text", ["public.data", "public.content"])
  /// Text without markup: `public.plain-text`.
  public static let plainText = declare(
    "public.plain-text", ["public.text"], extensions: ["txt", "text"], types: ["text/plain"])
  /// Plain text in UTF-8: `public.utf8-plain-text`.
  public static let utf8PlainText = declare("public.utf8-plain-text", ["public.plain-text"])
  /// Plain text in UTF-16: `public.utf16-plain-text`.
  public static let utf16PlainText = declare("public.utf16-plain-text", ["public.plain-text"])
  /// Plain text in UTF-16 that begins with a byte order mark: `public.utf16-external-plain-text`.
  public static let utf16ExternalPlainText = declare(
    "public.utf16-external-plain-text", ["public.plain-text"])
  /// Values between delimiters: `public.delimited-values-text`.
  public static let delimitedText = declare("public.delimited-values-text", ["public.text"])
  /// Values between commas: `public.comma-separated-values-text`.
  public static let commaSeparatedText = declare(
    "public.comma-separated-values-text", ["public.delimited-values-text"], extensions: ["csv"],
    types: ["text/csv"])
  /// Values between tabulators: `public.tab-separated-values-text`.
  public static let tabSeparatedText = declare(
    "public.tab-separated-values-text", ["public.delimited-values-text"], extensions: ["tsv"],
    types: ["text/tab-separated-values"])
  /// Values between tabulators in UTF-8: `public.utf8-tab-separated-values-text`.
  public static let utf8TabSeparatedText = declare(
    "public.utf8-tab-separated-values-text",
    ["public.tab-separated-values-text", "public.utf8-plain-text"])
  /// Rich text: `public.rtf`.
  public static let rtf = declare(
    "public.rtf", ["public.text"], extensions: ["rtf"], types: ["text/rtf"])
  /// Rich text with attachments: `com.apple.rtfd`.
  public static let rtfd = declare(
    "com.apple.rtfd", ["com.apple.package", "public.composite-content"], extensions: ["rtfd"])
  /// Rich text with attachments in one file: `com.apple.flat-rtfd`.
  public static let flatRTFD = declare(
    "com.apple.flat-rtfd", ["public.data", "public.composite-content"])
  /// A web page: `public.html`.
  public static let html = declare(
    "public.html", ["public.text"], extensions: ["html", "htm"], types: ["text/html"])
  /// A style sheet: `public.css`.
  public static let css = declare(
    "public.css", ["public.text"], extensions: ["css"], types: ["text/css"])
  /// A saved web page with what it shows: `com.apple.webarchive`.
  public static let webArchive = declare(
    "com.apple.webarchive", ["public.data", "public.composite-content"], extensions: ["webarchive"],
    types: ["application/x-webarchive"])
  /// XML: `public.xml`.
  public static let xml = declare(
    "public.xml", ["public.text"], extensions: ["xml"], types: ["application/xml"])
  /// YAML: `public.yaml`.
  public static let yaml = declare(
    "public.yaml", ["public.text"], extensions: ["yaml", "yml"], types: ["application/x-yaml"])
  /// JSON: `public.json`.
  public static let json = declare(
    "public.json", ["public.text"], extensions: ["json"], types: ["application/json"])
  /// Places on a map in JSON: `public.geojson`.
  public static let geoJSON = declare(
    "public.geojson", ["public.json"], extensions: ["geojson"], types: ["application/geo+json"])
  /// A property list: `com.apple.property-list`.
  public static let propertyList = declare(
    "com.apple.property-list", ["public.data"], extensions: ["plist"])
  /// A property list in XML: `com.apple.xml-property-list`.
  public static let xmlPropertyList = declare(
    "com.apple.xml-property-list", ["public.xml", "com.apple.property-list"])
  /// A property list in binary form: `com.apple.binary-property-list`.
  public static let binaryPropertyList = declare(
    "com.apple.binary-property-list", ["com.apple.property-list"])
  /// A URL: `public.url`.
  public static let url = declare("public.url", ["public.data"])
  /// The URL of a file: `public.file-url`.
  public static let fileURL = declare("public.file-url", ["public.url"])
  /// A bookmark in a file: `com.microsoft.internet-shortcut`.
  public static let internetShortcut = declare(
    "com.microsoft.internet-shortcut", ["public.data"], extensions: ["url"])
  /// A file that holds a URL: `com.apple.internet-location`.
  public static let internetLocation = declare("com.apple.internet-location", ["public.data"])
  /// Contacts: `public.vcard`.
  public static let vCard = declare(
    "public.vcard", ["public.text", "public.contact"], extensions: ["vcf"], types: ["text/vcard"])
  /// A contact: `public.contact`.
  public static let contact = declare("public.contact")
  /// A message: `public.message`.
  public static let message = declare("public.message")
  /// A message by electronic mail: `public.email-message`.
  public static let emailMessage = declare("public.email-message", ["public.message"])
  /// An event of a calendar: `public.calendar-event`.
  public static let calendarEvent = declare("public.calendar-event")
  /// A thing to do: `public.to-do-item`.
  public static let toDoItem = declare("public.to-do-item")
  /// A bookmark: `public.bookmark`.
  public static let bookmark = declare("public.bookmark")
  /// A symbolic link: `public.symlink`.
  public static let symbolicLink = declare(
    "public.symlink", ["public.item", "com.apple.resolvable"])
  /// Something that stands for another thing: `com.apple.resolvable`.
  public static let resolvable = declare("com.apple.resolvable")
  /// A document in PDF: `com.adobe.pdf`.
  public static let pdf = declare(
    "com.adobe.pdf", ["public.data", "public.composite-content"], extensions: ["pdf"],
    types: ["application/pdf"])
  /// A presentation: `public.presentation`.
  public static let presentation = declare("public.presentation", ["public.composite-content"])
  /// A spreadsheet: `public.spreadsheet`.
  public static let spreadsheet = declare("public.spreadsheet", ["public.content"])
  /// An electronic book: `org.idpf.epub-container`.
  public static let epub = declare(
    "org.idpf.epub-container", ["public.data", "public.composite-content"], extensions: ["epub"],
    types: ["application/epub+zip"])
  /// A font: `public.font`.
  public static let font = declare("public.font")
  /// A log: `public.log`.
  public static let log = declare("public.log", extensions: ["log"])
  /// A picture: `public.image`.
  public static let image = declare("public.image", ["public.data", "public.content"])
  /// A picture in JPEG: `public.jpeg`.
  public static let jpeg = declare(
    "public.jpeg", ["public.image"], extensions: ["jpeg", "jpg"], types: ["image/jpeg"])
  /// A picture in PNG: `public.png`.
  public static let png = declare(
    "public.png", ["public.image"], extensions: ["png"], types: ["image/png"])
  /// A picture in GIF: `com.compuserve.gif`.
  public static let gif = declare(
    "com.compuserve.gif", ["public.image"], extensions: ["gif"], types: ["image/gif"])
  /// A picture in TIFF: `public.tiff`.
  public static let tiff = declare(
    "public.tiff", ["public.image"], extensions: ["tiff", "tif"], types: ["image/tiff"])
  /// A picture in BMP: `com.microsoft.bmp`.
  public static let bmp = declare(
    "com.microsoft.bmp", ["public.image"], extensions: ["bmp"], types: ["image/bmp"])
  /// An icon of Windows: `com.microsoft.ico`.
  public static let ico = declare(
    "com.microsoft.ico", ["public.image"], extensions: ["ico"], types: ["image/vnd.microsoft.icon"])
  /// An icon of macOS: `com.apple.icns`.
  public static let icns = declare("com.apple.icns", ["public.image"], extensions: ["icns"])
  /// A picture in SVG: `public.svg-image`.
  public static let svg = declare(
    "public.svg-image", ["public.image"], extensions: ["svg"], types: ["image/svg+xml"])
  /// A picture in WebP: `org.webmproject.webp`.
  public static let webP = declare(
    "org.webmproject.webp", ["public.image"], extensions: ["webp"], types: ["image/webp"])
  /// A picture in HEIF: `public.heif`.
  public static let heif = declare(
    "public.heif", ["public.heif-standard"], extensions: ["heif"], types: ["image/heif"])
  /// A picture in HEIC: `public.heic`.
  public static let heic = declare(
    "public.heic", ["public.heif-standard"], extensions: ["heic"], types: ["image/heic"])
  /// Pictures in HEIC, one after the other: `public.heics`.
  public static let heics = declare(
    "public.heics", ["public.heif-standard"], extensions: ["heics"], types: ["image/heic-sequence"])
  /// What pictures in HEIF and HEIC have in common: `public.heif-standard`.
  static let heifStandard = declare("public.heif-standard", ["public.image"])
  /// A picture as the camera saw it: `public.camera-raw-image`.
  public static let rawImage = declare("public.camera-raw-image", ["public.image"])
  /// A digital negative: `com.adobe.raw-image`.
  public static let dng = declare("com.adobe.raw-image", ["public.image"], extensions: ["dng"])
  /// A picture in OpenEXR: `com.ilm.openexr-image`.
  public static let exr = declare("com.ilm.openexr-image", ["public.image"], extensions: ["exr"])
  /// A picture in JPEG XL: `public.jpeg-xl`.
  public static let jpegxl = declare(
    "public.jpeg-xl", ["public.image"], extensions: ["jxl"], types: ["image/jxl"])
  /// A picture that moves: `com.apple.live-photo`.
  public static let livePhoto = declare("com.apple.live-photo")
  /// Sound or moving pictures: `public.audiovisual-content`.
  public static let audiovisualContent = declare(
    "public.audiovisual-content", ["public.data", "public.content"])
  /// Moving pictures with or without sound: `public.movie`.
  public static let movie = declare("public.movie", ["public.audiovisual-content"])
  /// Moving pictures without sound: `public.video`.
  public static let video = declare("public.video", ["public.movie"])
  /// Sound: `public.audio`.
  public static let audio = declare("public.audio", ["public.audiovisual-content"])
  /// A film in QuickTime: `com.apple.quicktime-movie`.
  public static let quickTimeMovie = declare(
    "com.apple.quicktime-movie", ["public.movie"], extensions: ["mov", "qt"],
    types: ["video/quicktime"])
  /// A film in MPEG-1 or -2: `public.mpeg`.
  public static let mpeg = declare(
    "public.mpeg", ["public.movie"], extensions: ["mpg", "mpeg"], types: ["video/mpeg"])
  /// A video in MPEG-2: `public.mpeg-2-video`.
  public static let mpeg2Video = declare(
    "public.mpeg-2-video", ["public.video"], extensions: ["m2v"])
  /// A stream in MPEG-2: `public.mpeg-2-transport-stream`.
  public static let mpeg2TransportStream = declare(
    "public.mpeg-2-transport-stream", ["public.movie"], extensions: ["ts"])
  /// A film in MPEG-4: `public.mpeg-4`.
  public static let mpeg4Movie = declare(
    "public.mpeg-4", ["public.movie"], extensions: ["mp4"], types: ["video/mp4"])
  /// A protected film: `com.apple.protected-mpeg-4-video`.
  public static let appleProtectedMPEG4Video = declare(
    "com.apple.protected-mpeg-4-video", ["com.apple.m4v-video"])
  /// A film in Apple's form of MPEG-4: `com.apple.m4v-video`.
  static let m4vVideo = declare(
    "com.apple.m4v-video", ["public.mpeg-4"], extensions: ["m4v"], types: ["video/x-m4v"])
  /// A film in AVI: `public.avi`.
  public static let avi = declare(
    "public.avi", ["public.movie"], extensions: ["avi"], types: ["video/avi"])
  /// Sound in MP3: `public.mp3`.
  public static let mp3 = declare(
    "public.mp3", ["public.audio"], extensions: ["mp3"], types: ["audio/mpeg"])
  /// Sound in MPEG-4: `public.mpeg-4-audio`.
  public static let mpeg4Audio = declare(
    "public.mpeg-4-audio", ["public.audio", "public.mpeg-4"], extensions: ["m4a"],
    types: ["audio/mp4"])
  /// Protected sound: `com.apple.protected-mpeg-4-audio`.
  public static let appleProtectedMPEG4Audio = declare(
    "com.apple.protected-mpeg-4-audio", ["public.audio"], extensions: ["m4p"])
  /// Sound in WAV: `com.microsoft.waveform-audio`.
  public static let wav = declare(
    "com.microsoft.waveform-audio", ["public.audio"], extensions: ["wav"], types: ["audio/vnd.wave"]
  )
  /// Sound in AIFF: `public.aiff-audio`.
  public static let aiff = declare(
    "public.aiff-audio", ["public.aifc-audio"], extensions: ["aiff", "aif"], types: ["audio/aiff"])
  /// Sound in AIFF, packed or not: `public.aifc-audio`.
  static let aifc = declare("public.aifc-audio", ["public.audio"], extensions: ["aifc"])
  /// Music in MIDI: `public.midi-audio`.
  public static let midi = declare(
    "public.midi-audio", ["public.audio"], extensions: ["mid", "midi"], types: ["audio/midi"])
  /// A playlist: `public.playlist`.
  public static let playlist = declare("public.playlist")
  /// A playlist in M3U: `public.m3u-playlist`.
  public static let m3uPlaylist = declare(
    "public.m3u-playlist", ["public.text", "public.playlist"], extensions: ["m3u"],
    types: ["audio/mpegurl"])
  /// Content in three dimensions: `public.3d-content`.
  public static let threeDContent = declare("public.3d-content", ["public.content"])
  /// A scene in USD: `com.pixar.universal-scene-description`.
  public static let usd = declare(
    "com.pixar.universal-scene-description", ["public.3d-content", "public.data"],
    extensions: ["usd"])
  /// A scene in USDZ: `com.pixar.universal-scene-description-mobile`.
  public static let usdz = declare(
    "com.pixar.universal-scene-description-mobile", ["public.3d-content", "public.data"],
    extensions: ["usdz"], types: ["model/vnd.usdz+zip"])
  /// A scene of Reality Composer: `com.apple.reality`.
  public static let realityFile = declare(
    "com.apple.reality", ["public.data"], extensions: ["reality"], types: ["model/vnd.reality"])
  /// A scene of SceneKit: `com.apple.scenekit.scene`.
  public static let sceneKitScene = declare(
    "com.apple.scenekit.scene", ["public.3d-content", "public.data"], extensions: ["scn"])
  /// An object that augmented reality recognises: `com.apple.arobject`.
  public static let arReferenceObject = declare(
    "com.apple.arobject", ["public.data"], extensions: ["arobject"])
  /// A pattern that is felt and heard: `com.apple.haptics.ahap`.
  public static let ahap = declare("com.apple.haptics.ahap", extensions: ["ahap"])
  /// What is known of a link: `com.apple.linkpresentation.metadata`.
  public static let linkPresentationMetadata = declare(
    "com.apple.linkpresentation.metadata", ["public.data"])
  /// A key with its certificate: `com.rsa.pkcs-12`.
  public static let pkcs12 = declare(
    "com.rsa.pkcs-12", ["public.data"], extensions: ["p12"], types: ["application/x-pkcs12"])
  /// A certificate: `public.x509-certificate`.
  public static let x509Certificate = declare(
    "public.x509-certificate", ["public.data"], extensions: ["cer", "crt"],
    types: ["application/x-x509-ca-cert"])
  /// A volume: `public.volume`.
  public static let volume = declare("public.volume", ["public.folder"])
  /// A place where a volume is mounted: `com.apple.mount-point`.
  public static let mountPoint = declare(
    "com.apple.mount-point", ["public.item", "com.apple.resolvable"])
  /// An alias: `com.apple.alias-file`.
  public static let aliasFile = declare(
    "com.apple.alias-file", ["public.data", "com.apple.resolvable"])
  /// The data of a bookmark of a file: `com.apple.bookmark`.
  public static let urlBookmarkData = declare(
    "com.apple.bookmark", ["public.data", "com.apple.resolvable"])
  /// Every type that is declared; of two with one extension, the first is that of a file.
  static let all = documents + named

  private static let named: [UTType] = [
    .item, .content, .compositeContent, .data, .database, .diskImage, .directory, .folder, .package,
    .bundle, .archive, .zip, .pkwareZip, .gzip, .bz2, .tarArchive, .appleArchive, .executable,
    .text, .plainText, .utf8PlainText, .utf16PlainText, .utf16ExternalPlainText, .delimitedText,
    .commaSeparatedText, .tabSeparatedText, .utf8TabSeparatedText, .rtf, .rtfd, .flatRTFD, .html,
    .css, .webArchive, .xml, .yaml, .json, .geoJSON, .propertyList, .xmlPropertyList,
    .binaryPropertyList, .sourceCode, .swiftSource, .cSource, .objectiveCSource,
    .objectiveCPlusPlusSource, .assemblyLanguageSource, .cPlusPlusSource, .cHeader,
    .cPlusPlusHeader, .script, .appleScript, .osaScript, .osaScriptBundle, .makefile, .shellScript,
    .phpScript, .pythonScript, .rubyScript, .perlScript, .javaScript, .url, .fileURL,
    .internetShortcut, .internetLocation, .vCard, .contact, .message, .emailMessage, .calendarEvent,
    .toDoItem, .bookmark, .symbolicLink, .resolvable, .pdf, .presentation, .spreadsheet, .epub,
    .font, .log, .image, .jpeg, .png, .gif, .tiff, .bmp, .ico, .icns, .svg, .webP, .heif, .heic,
    .heics, .heifStandard, .rawImage, .dng, .exr, .jpegxl, .livePhoto, .audiovisualContent, .movie,
    .video, .audio, .quickTimeMovie, .mpeg, .mpeg2Video, .mpeg2TransportStream, .mpeg4Movie,
    .appleProtectedMPEG4Video, .m4vVideo, .avi, .mp3, .mpeg4Audio, .appleProtectedMPEG4Audio, .wav,
    .aiff, .aifc, .midi, .playlist, .m3uPlaylist, .threeDContent, .usd, .usdz, .realityFile,
    .sceneKitScene, .arReferenceObject, .ahap, .linkPresentationMetadata, .application,
    .applicationBundle, .framework, .pluginBundle, .spotlightImporter, .quickLookGenerator,
    .xpcService, .applicationExtension, .systemPreferencesPane, .pkcs12, .x509Certificate, .volume,
    .mountPoint, .aliasFile, .urlBookmarkData, .unixExecutable, .exe,
  ]
}
