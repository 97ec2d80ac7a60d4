extension Declaration {
  /// What the system declares, as Apple's reference lists it.
  static let all: [Declaration] = [
    Declaration("public.item"),
    Declaration("public.content"),
    Declaration("public.composite-content", conformsTo: ["public.content"]),
    Declaration("public.data", conformsTo: ["public.item"]),
    Declaration("public.database"),
    Declaration("public.disk-image", conformsTo: ["public.archive"]),
    Declaration("public.directory", conformsTo: ["public.item"]),
    Declaration("public.folder", conformsTo: ["public.directory"]),
    Declaration("com.apple.package", conformsTo: ["public.directory"]),
    Declaration("com.apple.bundle", conformsTo: ["public.directory"]),
    Declaration("public.archive"),
    Declaration(
      "public.zip-archive",
      conformsTo: ["public.data", "public.archive"],
      extensions: ["zip"],
      types: ["application/zip"]
    ),
    Declaration(
      "org.gnu.gnu-zip-archive",
      conformsTo: ["public.data", "public.archive"],
      extensions: ["gz", "gzip"],
      types: ["application/gzip"]
    ),
    Declaration(
      "public.bzip2-archive",
      conformsTo: ["public.data", "public.archive"],
      extensions: ["bz2"],
      types: ["application/x-bzip2"]
    ),
    Declaration("public.executable", conformsTo: ["public.item"]),
    Declaration("public.text", conformsTo: ["public.data", "public.content"]),
    Declaration(
      "public.plain-text",
      conformsTo: ["public.text"],
      extensions: ["txt", "text"],
      types: ["text/plain"]
    ),
    Declaration("public.utf8-plain-text", conformsTo: ["public.plain-text"]),
    Declaration("public.utf16-plain-text", conformsTo: ["public.plain-text"]),
    Declaration("public.delimited-values-text", conformsTo: ["public.text"]),
    Declaration(
      "public.comma-separated-values-text",
      conformsTo: ["public.delimited-values-text"],
      extensions: ["csv"],
      types: ["text/csv"]
    ),
    Declaration(
      "public.tab-separated-values-text",
      conformsTo: ["public.delimited-values-text"],
      extensions: ["tsv"],
      types: ["text/tab-separated-values"]
    ),
    Declaration(
      "public.rtf",
      conformsTo: ["public.text"],
      extensions: ["rtf"],
      types: ["text/rtf"]
    ),
    Declaration(
      "com.apple.rtfd",
      conformsTo: ["com.apple.package", "public.composite-content"],
      extensions: ["rtfd"]
    ),
    Declaration("com.apple.flat-rtfd", conformsTo: ["public.data", "public.composite-content"]),
    Declaration(
      "public.html",
      conformsTo: ["public.text"],
      extensions: ["html", "htm"],
      types: ["text/html"]
    ),
    Declaration(
      "public.xml",
      conformsTo: ["public.text"],
      extensions: ["xml"],
      types: ["application/xml"]
    ),
    Declaration(
      "public.yaml",
      conformsTo: ["public.text"],
      extensions: ["yaml", "yml"],
      types: ["application/x-yaml"]
    ),
    Declaration(
      "public.json",
      conformsTo: ["public.text"],
      extensions: ["json"],
      types: ["application/json"]
    ),
    Declaration("com.apple.property-list", conformsTo: ["public.data"], extensions: ["plist"]),
    Declaration(
      "com.apple.xml-property-list",
      conformsTo: ["public.xml", "com.apple.property-list"]
    ),
    Declaration("com.apple.binary-property-list", conformsTo: ["com.apple.property-list"]),
    Declaration("public.source-code", conformsTo: ["public.plain-text"]),
    Declaration("public.swift-source", conformsTo: ["public.source-code"], extensions: ["swift"]),
    Declaration("public.c-source", conformsTo: ["public.source-code"], extensions: ["c"]),
    Declaration("public.objective-c-source", conformsTo: ["public.source-code"], extensions: ["m"]),
    Declaration(
      "public.c-plus-plus-source",
      conformsTo: ["public.source-code"],
      extensions: ["cpp", "cc", "cxx"]
    ),
    Declaration("public.c-header", conformsTo: ["public.source-code"], extensions: ["h"]),
    Declaration("public.script", conformsTo: ["public.source-code"]),
    Declaration("public.shell-script", conformsTo: ["public.script"], extensions: ["sh"]),
    Declaration("public.python-script", conformsTo: ["public.script"], extensions: ["py"]),
    Declaration("public.ruby-script", conformsTo: ["public.script"], extensions: ["rb"]),
    Declaration("public.perl-script", conformsTo: ["public.script"], extensions: ["pl"]),
    Declaration(
      "com.netscape.javascript-source",
      conformsTo: ["public.source-code", "public.executable"],
      extensions: ["js"],
      types: ["text/javascript"]
    ),
    Declaration("public.url", conformsTo: ["public.data"]),
    Declaration("public.file-url", conformsTo: ["public.url"]),
    Declaration(
      "com.microsoft.internet-shortcut",
      conformsTo: ["public.data"],
      extensions: ["url"]
    ),
    Declaration(
      "public.vcard",
      conformsTo: ["public.text", "public.contact"],
      extensions: ["vcf"],
      types: ["text/vcard"]
    ),
    Declaration("public.contact"),
    Declaration("public.message"),
    Declaration("public.email-message", conformsTo: ["public.message"]),
    Declaration("public.calendar-event"),
    Declaration("public.to-do-item"),
    Declaration("public.bookmark"),
    Declaration("public.symlink", conformsTo: ["public.resolvable"]),
    Declaration("com.apple.resolvable", conformsTo: ["public.resolvable"]),
    Declaration(
      "com.adobe.pdf",
      conformsTo: ["public.data", "public.composite-content"],
      extensions: ["pdf"],
      types: ["application/pdf"]
    ),
    Declaration("public.presentation", conformsTo: ["public.composite-content"]),
    Declaration("public.spreadsheet", conformsTo: ["public.content"]),
    Declaration(
      "org.idpf.epub-container",
      conformsTo: ["public.data", "public.composite-content"],
      extensions: ["epub"],
      types: ["application/epub+zip"]
    ),
    Declaration("public.font"),
    Declaration("public.log", extensions: ["log"]),
    Declaration("public.image", conformsTo: ["public.data", "public.content"]),
    Declaration(
      "public.jpeg",
      conformsTo: ["public.image"],
      extensions: ["jpeg", "jpg"],
      types: ["image/jpeg"]
    ),
    Declaration(
      "public.png",
      conformsTo: ["public.image"],
      extensions: ["png"],
      types: ["image/png"]
    ),
    Declaration(
      "com.compuserve.gif",
      conformsTo: ["public.image"],
      extensions: ["gif"],
      types: ["image/gif"]
    ),
    Declaration(
      "public.tiff",
      conformsTo: ["public.image"],
      extensions: ["tiff", "tif"],
      types: ["image/tiff"]
    ),
    Declaration(
      "com.microsoft.bmp",
      conformsTo: ["public.image"],
      extensions: ["bmp"],
      types: ["image/bmp"]
    ),
    Declaration(
      "com.microsoft.ico",
      conformsTo: ["public.image"],
      extensions: ["ico"],
      types: ["image/vnd.microsoft.icon"]
    ),
    Declaration("com.apple.icns", conformsTo: ["public.image"], extensions: ["icns"]),
    Declaration(
      "public.svg-image",
      conformsTo: ["public.image"],
      extensions: ["svg"],
      types: ["image/svg+xml"]
    ),
    Declaration(
      "org.webmproject.webp",
      conformsTo: ["public.image"],
      extensions: ["webp"],
      types: ["image/webp"]
    ),
    Declaration(
      "public.heif-standard",
      conformsTo: ["public.image"],
      extensions: ["heif"],
      types: ["image/heif"]
    ),
    Declaration(
      "public.heic",
      conformsTo: ["public.heif-standard"],
      extensions: ["heic"],
      types: ["image/heic"]
    ),
    Declaration("public.camera-raw-image", conformsTo: ["public.image"]),
    Declaration("com.apple.live-photo", conformsTo: ["public.image"]),
    Declaration("public.audiovisual-content", conformsTo: ["public.data", "public.content"]),
    Declaration("public.movie", conformsTo: ["public.audiovisual-content"]),
    Declaration("public.video", conformsTo: ["public.movie"]),
    Declaration("public.audio", conformsTo: ["public.audiovisual-content"]),
    Declaration(
      "com.apple.quicktime-movie",
      conformsTo: ["public.movie"],
      extensions: ["mov", "qt"],
      types: ["video/quicktime"]
    ),
    Declaration(
      "public.mpeg",
      conformsTo: ["public.movie"],
      extensions: ["mpg", "mpeg"],
      types: ["video/mpeg"]
    ),
    Declaration("public.mpeg-2-video", conformsTo: ["public.video"], extensions: ["m2v"]),
    Declaration(
      "public.mpeg-4",
      conformsTo: ["public.movie"],
      extensions: ["mp4"],
      types: ["video/mp4"]
    ),
    Declaration(
      "com.apple.protected-mpeg-4-video",
      conformsTo: ["public.mpeg-4"],
      extensions: ["m4v"]
    ),
    Declaration(
      "public.avi",
      conformsTo: ["public.movie"],
      extensions: ["avi"],
      types: ["video/avi"]
    ),
    Declaration(
      "public.mp3",
      conformsTo: ["public.audio"],
      extensions: ["mp3"],
      types: ["audio/mpeg"]
    ),
    Declaration(
      "public.mpeg-4-audio",
      conformsTo: ["public.audio", "public.mpeg-4"],
      extensions: ["m4a"],
      types: ["audio/mp4"]
    ),
    Declaration(
      "com.apple.protected-mpeg-4-audio",
      conformsTo: ["public.audio"],
      extensions: ["m4p"]
    ),
    Declaration(
      "com.microsoft.waveform-audio",
      conformsTo: ["public.audio"],
      extensions: ["wav"],
      types: ["audio/vnd.wave"]
    ),
    Declaration(
      "public.aiff-audio",
      conformsTo: ["public.audio"],
      extensions: ["aiff", "aif"],
      types: ["audio/aiff"]
    ),
    Declaration(
      "public.midi-audio",
      conformsTo: ["public.audio"],
      extensions: ["mid", "midi"],
      types: ["audio/midi"]
    ),
    Declaration("public.playlist"),
    Declaration(
      "public.m3u-playlist",
      conformsTo: ["public.text", "public.playlist"],
      extensions: ["m3u"],
      types: ["audio/mpegurl"]
    ),
    Declaration("public.3d-content", conformsTo: ["public.content"]),
    Declaration(
      "com.pixar.universal-scene-description",
      conformsTo: ["public.3d-content", "public.data"],
      extensions: ["usd"]
    ),
    Declaration(
      "com.pixar.universal-scene-description-mobile",
      conformsTo: ["public.3d-content", "public.data"],
      extensions: ["usdz"],
      types: ["model/vnd.usdz+zip"]
    ),
    Declaration("com.apple.application", conformsTo: ["public.executable"]),
    Declaration(
      "com.apple.application-bundle",
      conformsTo: ["com.apple.application", "com.apple.package", "com.apple.bundle"],
      extensions: ["app"]
    ),
    Declaration("com.apple.framework", conformsTo: ["com.apple.bundle"], extensions: ["framework"]),
    Declaration(
      "com.rsa.pkcs-12",
      conformsTo: ["public.data"],
      extensions: ["p12"],
      types: ["application/x-pkcs12"]
    ),
    Declaration(
      "public.x509-certificate",
      conformsTo: ["public.data"],
      extensions: ["cer", "crt"],
      types: ["application/x-x509-ca-cert"]
    ),
    Declaration("public.volume", conformsTo: ["public.folder"]),
    Declaration("com.apple.mount-point", conformsTo: ["public.resolvable"]),
    Declaration("com.apple.alias-file", conformsTo: ["public.data", "public.resolvable"]),
    Declaration("public.unix-executable", conformsTo: ["public.data", "public.executable"]),
    Declaration(
      "com.microsoft.windows-executable",
      conformsTo: ["public.data", "public.executable"],
      extensions: ["exe"]
    ),
  ]
}
