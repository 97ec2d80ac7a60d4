// The names of types as programs wrote them before there was `UTType`; Apple deprecated them.

/// Anything: `public.item`.
public let kUTTypeItem = "public.item"
/// Any content: `public.content`.
public let kUTTypeContent = "public.content"
/// Any data: `public.data`.
public let kUTTypeData = "public.data"
/// Any text: `public.text`.
public let kUTTypeText = "public.text"
/// Text without markup: `public.plain-text`.
public let kUTTypePlainText = "public.plain-text"
/// A web page: `public.html`.
public let kUTTypeHTML = "public.html"
/// An address: `public.url`.
public let kUTTypeURL = "public.url"
/// Any picture: `public.image`.
public let kUTTypeImage = "public.image"
/// A picture in JPEG: `public.jpeg`.
public let kUTTypeJPEG = "public.jpeg"
/// A picture in PNG: `public.png`.
public let kUTTypePNG = "public.png"
/// A document in PDF: `com.adobe.pdf`.
public let kUTTypePDF = "com.adobe.pdf"
/// A film: `public.movie`.
public let kUTTypeMovie = "public.movie"
/// Sound: `public.audio`.
public let kUTTypeAudio = "public.audio"
/// A contact: `public.contact`.
public let kUTTypeContact = "public.contact"
/// A message: `public.message`.
public let kUTTypeMessage = "public.message"
/// A mail: `public.email-message`.
public let kUTTypeEmailMessage = "public.email-message"
/// An event of a calendar: `public.calendar-event`.
public let kUTTypeCalendarEvent = "public.calendar-event"
