// The names of types as programs wrote them before there was `UTType`; Apple deprecated them.

/// A file, folder or anything else in a file system: `public.item`.
public let kUTTypeItem = "public.item"
/// Any content that a person made: `public.content`.
public let kUTTypeContent = "public.content"
/// Content of several kinds, such as a document with pictures: `public.composite-content`.
public let kUTTypeCompositeContent = "public.composite-content"
/// A stream of bytes: `public.data`.
public let kUTTypeData = "public.data"
/// A directory: `public.directory`.
public let kUTTypeDirectory = "public.directory"
/// A folder that a person sees: `public.folder`.
public let kUTTypeFolder = "public.folder"
/// A volume: `public.volume`.
public let kUTTypeVolume = "public.volume"
/// A directory that looks like a file: `com.apple.package`.
public let kUTTypePackage = "com.apple.package"
/// A directory with a bundle's inner order: `com.apple.bundle`.
public let kUTTypeBundle = "com.apple.bundle"
/// A bundle that extends a program: `com.apple.plugin`.
public let kUTTypePluginBundle = "com.apple.plugin"
/// An importer of Spotlight on macOS: `com.apple.metadata-importer`.
public let kUTTypeSpotlightImporter = "com.apple.metadata-importer"
/// A generator of previews: `com.apple.quicklook-generator`.
public let kUTTypeQuickLookGenerator = "com.apple.quicklook-generator"
/// A service of XPC: `com.apple.xpc-service`.
public let kUTTypeXPCService = "com.apple.xpc-service"
/// A framework: `com.apple.framework`.
public let kUTTypeFramework = "com.apple.framework"
/// An application: `com.apple.application`.
public let kUTTypeApplication = "com.apple.application"
/// An application in a bundle: `com.apple.application-bundle`.
public let kUTTypeApplicationBundle = "com.apple.application-bundle"
/// A pane of the settings: `com.apple.systempreference.prefpane`.
public let kUTTypeSystemPreferencesPane = "com.apple.systempreference.prefpane"
/// A program: `public.executable`.
public let kUTTypeExecutable = "public.executable"
/// A program of Unix: `public.unix-executable`.
public let kUTTypeUnixExecutable = "public.unix-executable"
/// A program of Windows: `com.microsoft.windows-executable`.
public let kUTTypeWindowsExecutable = "com.microsoft.windows-executable"
/// Something that stands for another thing: `com.apple.resolvable`.
public let kUTTypeResolvable = "com.apple.resolvable"
/// A symbolic link: `public.symlink`.
public let kUTTypeSymLink = "public.symlink"
/// A place where a volume is mounted: `com.apple.mount-point`.
public let kUTTypeMountPoint = "com.apple.mount-point"
/// An alias: `com.apple.alias-file`.
public let kUTTypeAliasFile = "com.apple.alias-file"
/// The data of a bookmark of a file: `com.apple.bookmark`.
public let kUTTypeURLBookmarkData = "com.apple.bookmark"
/// Files in one: `public.archive`.
public let kUTTypeArchive = "public.archive"
/// An image of a disk: `public.disk-image`.
public let kUTTypeDiskImage = "public.disk-image"
/// A gzip archive: `org.gnu.gnu-zip-archive`.
public let kUTTypeGNUZipArchive = "org.gnu.gnu-zip-archive"
/// A bzip2 archive: `public.bzip2-archive`.
public let kUTTypeBzip2Archive = "public.bzip2-archive"
/// A zip archive: `public.zip-archive`.
public let kUTTypeZipArchive = "public.zip-archive"
/// A URL: `public.url`.
public let kUTTypeURL = "public.url"
/// The URL of a file: `public.file-url`.
public let kUTTypeFileURL = "public.file-url"
/// A file that holds a URL: `com.apple.internet-location`.
public let kUTTypeInternetLocation = "com.apple.internet-location"
/// Text of any kind, with markup or without: `public.text`.
public let kUTTypeText = "public.text"
/// Text without markup: `public.plain-text`.
public let kUTTypePlainText = "public.plain-text"
/// Plain text in UTF-8: `public.utf8-plain-text`.
public let kUTTypeUTF8PlainText = "public.utf8-plain-text"
/// Plain text in UTF-16: `public.utf16-plain-text`.
public let kUTTypeUTF16PlainText = "public.utf16-plain-text"
/// Plain text in UTF-16 that begins with a byte order mark: `public.utf16-external-plain-text`.
public let kUTTypeUTF16ExternalPlainText = "public.utf16-external-plain-text"
/// Values between delimiters: `public.delimited-values-text`.
public let kUTTypeDelimitedText = "public.delimited-values-text"
/// Values between commas: `public.comma-separated-values-text`.
public let kUTTypeCommaSeparatedText = "public.comma-separated-values-text"
/// Values between tabulators: `public.tab-separated-values-text`.
public let kUTTypeTabSeparatedText = "public.tab-separated-values-text"
/// Values between tabulators in UTF-8: `public.utf8-tab-separated-values-text`.
public let kUTTypeUTF8TabSeparatedText = "public.utf8-tab-separated-values-text"
/// Rich text: `public.rtf`.
public let kUTTypeRTF = "public.rtf"
/// Rich text with attachments: `com.apple.rtfd`.
public let kUTTypeRTFD = "com.apple.rtfd"
/// Rich text with attachments in one file: `com.apple.flat-rtfd`.
public let kUTTypeFlatRTFD = "com.apple.flat-rtfd"
/// A web page: `public.html`.
public let kUTTypeHTML = "public.html"
/// XML: `public.xml`.
public let kUTTypeXML = "public.xml"
/// JSON: `public.json`.
public let kUTTypeJSON = "public.json"
/// A property list: `com.apple.property-list`.
public let kUTTypePropertyList = "com.apple.property-list"
/// A property list in XML: `com.apple.xml-property-list`.
public let kUTTypeXMLPropertyList = "com.apple.xml-property-list"
/// A property list in binary form: `com.apple.binary-property-list`.
public let kUTTypeBinaryPropertyList = "com.apple.binary-property-list"
/// A saved web page with what it shows: `com.apple.webarchive`.
public let kUTTypeWebArchive = "com.apple.webarchive"
/// Source code: `public.source-code`.
public let kUTTypeSourceCode = "public.source-code"
/// Source code in assembly language: `public.assembly-source`.
public let kUTTypeAssemblyLanguageSource = "public.assembly-source"
/// Source code in C: `public.c-source`.
public let kUTTypeCSource = "public.c-source"
/// Source code in Objective-C: `public.objective-c-source`.
public let kUTTypeObjectiveCSource = "public.objective-c-source"
/// Source code in Swift: `public.swift-source`.
public let kUTTypeSwiftSource = "public.swift-source"
/// Source code in C++: `public.c-plus-plus-source`.
public let kUTTypeCPlusPlusSource = "public.c-plus-plus-source"
/// Source code in Objective-C++: `public.objective-c-plus-plus-source`.
public let kUTTypeObjectiveCPlusPlusSource = "public.objective-c-plus-plus-source"
/// A header of C: `public.c-header`.
public let kUTTypeCHeader = "public.c-header"
/// A header of C++: `public.c-plus-plus-header`.
public let kUTTypeCPlusPlusHeader = "public.c-plus-plus-header"
/// Source code of a script: `public.script`.
public let kUTTypeScript = "public.script"
/// AppleScript as text: `com.apple.applescript.text`.
public let kUTTypeAppleScript = "com.apple.applescript.text"
/// AppleScript as it runs: `com.apple.applescript.script`.
public let kUTTypeOSAScript = "com.apple.applescript.script"
/// AppleScript in a bundle: `com.apple.applescript.script-bundle`.
public let kUTTypeOSAScriptBundle = "com.apple.applescript.script-bundle"
/// A JavaScript program: `com.netscape.javascript-source`.
public let kUTTypeJavaScript = "com.netscape.javascript-source"
/// A shell script: `public.shell-script`.
public let kUTTypeShellScript = "public.shell-script"
/// A Perl script: `public.perl-script`.
public let kUTTypePerlScript = "public.perl-script"
/// A Python script: `public.python-script`.
public let kUTTypePythonScript = "public.python-script"
/// A Ruby script: `public.ruby-script`.
public let kUTTypeRubyScript = "public.ruby-script"
/// A script in PHP: `public.php-script`.
public let kUTTypePHPScript = "public.php-script"
/// A picture: `public.image`.
public let kUTTypeImage = "public.image"
/// A picture in JPEG: `public.jpeg`.
public let kUTTypeJPEG = "public.jpeg"
/// A picture in TIFF: `public.tiff`.
public let kUTTypeTIFF = "public.tiff"
/// A picture in GIF: `com.compuserve.gif`.
public let kUTTypeGIF = "com.compuserve.gif"
/// A picture in PNG: `public.png`.
public let kUTTypePNG = "public.png"
/// An icon of macOS: `com.apple.icns`.
public let kUTTypeAppleICNS = "com.apple.icns"
/// A picture in BMP: `com.microsoft.bmp`.
public let kUTTypeBMP = "com.microsoft.bmp"
/// An icon of Windows: `com.microsoft.ico`.
public let kUTTypeICO = "com.microsoft.ico"
/// A picture as the camera saw it: `public.camera-raw-image`.
public let kUTTypeRawImage = "public.camera-raw-image"
/// A picture in SVG: `public.svg-image`.
public let kUTTypeScalableVectorGraphics = "public.svg-image"
/// A picture that moves: `com.apple.live-photo`.
public let kUTTypeLivePhoto = "com.apple.live-photo"
/// Sound or moving pictures: `public.audiovisual-content`.
public let kUTTypeAudiovisualContent = "public.audiovisual-content"
/// Moving pictures with or without sound: `public.movie`.
public let kUTTypeMovie = "public.movie"
/// Moving pictures without sound: `public.video`.
public let kUTTypeVideo = "public.video"
/// Sound: `public.audio`.
public let kUTTypeAudio = "public.audio"
/// A film in QuickTime: `com.apple.quicktime-movie`.
public let kUTTypeQuickTimeMovie = "com.apple.quicktime-movie"
/// A film in MPEG-1 or -2: `public.mpeg`.
public let kUTTypeMPEG = "public.mpeg"
/// A video in MPEG-2: `public.mpeg-2-video`.
public let kUTTypeMPEG2Video = "public.mpeg-2-video"
/// A stream in MPEG-2: `public.mpeg-2-transport-stream`.
public let kUTTypeMPEG2TransportStream = "public.mpeg-2-transport-stream"
/// A film in MPEG-4: `public.mpeg-4`.
public let kUTTypeMPEG4 = "public.mpeg-4"
/// Sound in MPEG-4: `public.mpeg-4-audio`.
public let kUTTypeMPEG4Audio = "public.mpeg-4-audio"
/// Sound in MP3: `public.mp3`.
public let kUTTypeMP3 = "public.mp3"
/// Protected sound: `com.apple.protected-mpeg-4-audio`.
public let kUTTypeAppleProtectedMPEG4Audio = "com.apple.protected-mpeg-4-audio"
/// A protected film: `com.apple.protected-mpeg-4-video`.
public let kUTTypeAppleProtectedMPEG4Video = "com.apple.protected-mpeg-4-video"
/// A film in AVI: `public.avi`.
public let kUTTypeAVIMovie = "public.avi"
/// Sound in AIFF: `public.aiff-audio`.
public let kUTTypeAudioInterchangeFileFormat = "public.aiff-audio"
/// Sound in WAV: `com.microsoft.waveform-audio`.
public let kUTTypeWaveformAudio = "com.microsoft.waveform-audio"
/// Music in MIDI: `public.midi-audio`.
public let kUTTypeMIDIAudio = "public.midi-audio"
/// A playlist: `public.playlist`.
public let kUTTypePlaylist = "public.playlist"
/// A playlist in M3U: `public.m3u-playlist`.
public let kUTTypeM3UPlaylist = "public.m3u-playlist"
/// A document in PDF: `com.adobe.pdf`.
public let kUTTypePDF = "com.adobe.pdf"
/// A spreadsheet: `public.spreadsheet`.
public let kUTTypeSpreadsheet = "public.spreadsheet"
/// A presentation: `public.presentation`.
public let kUTTypePresentation = "public.presentation"
/// A database: `public.database`.
public let kUTTypeDatabase = "public.database"
/// An electronic book: `org.idpf.epub-container`.
public let kUTTypeElectronicPublication = "org.idpf.epub-container"
/// Contacts: `public.vcard`.
public let kUTTypeVCard = "public.vcard"
/// A contact: `public.contact`.
public let kUTTypeContact = "public.contact"
/// A message: `public.message`.
public let kUTTypeMessage = "public.message"
/// A message by electronic mail: `public.email-message`.
public let kUTTypeEmailMessage = "public.email-message"
/// An event of a calendar: `public.calendar-event`.
public let kUTTypeCalendarEvent = "public.calendar-event"
/// A thing to do: `public.to-do-item`.
public let kUTTypeToDoItem = "public.to-do-item"
/// A bookmark: `public.bookmark`.
public let kUTTypeBookmark = "public.bookmark"
/// A font: `public.font`.
public let kUTTypeFont = "public.font"
/// A log: `public.log`.
public let kUTTypeLog = "public.log"
/// Content in three dimensions: `public.3d-content`.
public let kUTType3DContent = "public.3d-content"
/// A key with its certificate: `com.rsa.pkcs-12`.
public let kUTTypePKCS12 = "com.rsa.pkcs-12"
/// A certificate: `public.x509-certificate`.
public let kUTTypeX509Certificate = "public.x509-certificate"
