// Types of files that people keep, which the system knows without a name of their own in Swift.
//
// Sources: https://daringfireball.net/projects/markdown/ for Markdown; for the others the table
// "System-Declared Uniform Type Identifiers" of Apple's archive.

extension UTType {
  static let documents: [UTType] = [
    declare(
      "net.daringfireball.markdown", ["public.plain-text"], extensions: ["md", "markdown"],
      types: ["text/markdown"]),
    declare(
      "com.apple.mail.email", ["public.data", "public.email-message"], extensions: ["eml"],
      types: ["message/rfc822"]),
    declare(
      "com.apple.ical.ics", ["public.data", "public.calendar-event"], extensions: ["ics"],
      types: ["text/calendar"]),
    declare("org.openxmlformats.openxml", ["public.data"]),
    declare(
      "org.openxmlformats.wordprocessingml.document",
      ["org.openxmlformats.openxml", "public.composite-content"], extensions: ["docx"],
      types: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"]),
    declare(
      "org.openxmlformats.spreadsheetml.sheet",
      ["org.openxmlformats.openxml", "public.spreadsheet"], extensions: ["xlsx"],
      types: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"]),
    declare(
      "org.openxmlformats.presentationml.presentation",
      ["org.openxmlformats.openxml", "public.presentation"], extensions: ["pptx"],
      types: ["application/vnd.openxmlformats-officedocument.presentationml.presentation"]),
    declare(
      "com.microsoft.word.doc", ["public.data", "public.composite-content"], extensions: ["doc"],
      types: ["application/msword"]),
    declare(
      "com.microsoft.excel.xls", ["public.data", "public.spreadsheet"], extensions: ["xls"],
      types: ["application/vnd.ms-excel"]),
    declare(
      "com.microsoft.powerpoint.ppt", ["public.data", "public.presentation"], extensions: ["ppt"],
      types: ["application/vnd.ms-powerpoint"]),
    declare(
      "org.oasis-open.opendocument.text", ["public.data", "public.composite-content"],
      extensions: ["odt"], types: ["application/vnd.oasis.opendocument.text"]),
    declare(
      "org.oasis-open.opendocument.spreadsheet", ["public.data", "public.spreadsheet"],
      extensions: ["ods"], types: ["application/vnd.oasis.opendocument.spreadsheet"]),
    declare(
      "org.oasis-open.opendocument.presentation", ["public.data", "public.presentation"],
      extensions: ["odp"], types: ["application/vnd.oasis.opendocument.presentation"]),
  ]
}
