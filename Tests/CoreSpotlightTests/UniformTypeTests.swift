import CoreSpotlight
import Foundation
import MobileCoreServices
import TestSupport
import Testing

@testable import UniformTypeIdentifiers

/// Types of data, as Apple's reference has them.
@Suite struct UniformTypeTests {
  @Test func `whatever a type conforms to is declared, and nothing twice`() {
    for type in UTType.all {
      for parent in type.supertypes {
        #expect(parent.isDeclared, "\(type) conforms to \(parent)")
        #expect(!parent.conforms(to: type), "\(type) conforms to itself")
      }
      #expect(UTType(type.identifier) == type)
    }
    #expect(Set(UTType.all.map(\.identifier)).count == UTType.all.count)
  }

  @Test func `conformance is that of the reference`() {
    #expect(UTType.heif.identifier == "public.heif" && UTType.heif.conforms(to: .image))
    #expect(UTType.heic.isSubtype(of: .image) && !UTType.heic.conforms(to: .heif))
    #expect(UTType.phpScript.conforms(to: .shellScript) && UTType.makefile.conforms(to: .script))
    #expect(
      UTType.pythonScript.supertypes.isSuperset(of: [.shellScript, .sourceCode, .text, .data]))
    #expect(UTType.symbolicLink.supertypes == [.item, .resolvable])
    #expect(UTType.applicationExtension.conforms(to: .bundle))
    #expect(UTType.zip.referenceURL == nil && UTType.zip.version == nil)
    #expect(UTType.zip.conforms(to: .archive) && UTType.tarArchive.conforms(to: .data))
    #expect(UTType.spotlightImporter.conforms(to: .pluginBundle))
    #expect(
      UTType.webArchive.conforms(to: .compositeContent) && !UTType.livePhoto.conforms(to: .image))
  }

  @Test func `the old names of types are those of types that are declared, each once`() throws {
    let file = Checkout.root.appending(path: "Sources/MobileCoreServices/TypeNames.swift")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let values = lines.filter { $0.hasPrefix("public let kUTType") }.compactMap {
      $0.split(separator: "\"").dropFirst().first
    }
    #expect(values.count > 100 && Set(values).count == values.count)
    for value in values { #expect(UTType(String(value))?.isDeclared == true, "\(value)") }
    #expect(kUTTypeGIF == UTType.gif.identifier && kUTTypeZipArchive == UTType.zip.identifier)
  }

  @Test func `a type has its tags, and a tag its types`() {
    #expect(
      UTType.plainText.tags == [.filenameExtension: ["txt", "text"], .mimeType: ["text/plain"]])
    #expect(UTType.image.tags.isEmpty && UTTagClass.mimeType.rawValue == "public.mime-type")
    #expect(UTType.types(tag: "PNG", tagClass: .filenameExtension, conformingTo: nil) == [.png])
    #expect(UTType(tag: "image/png", tagClass: .mimeType, conformingTo: .image) == .png)
    for (name, parent) in [
      ("md", UTType.plainText), ("eml", .emailMessage), ("docx", .compositeContent),
      ("XLSX", .spreadsheet), ("ics", .calendarEvent), ("m4v", .mpeg4Movie), ("ts", .movie),
    ] {
      let type = UTType(filenameExtension: name)
      #expect(type?.isDeclared == true && type?.conforms(to: parent) == true, "\(name)")
    }
    let other = UTType(mimeType: "image/png", conformingTo: .text)
    #expect(other?.isDynamic == true && other?.preferredMIMEType == "image/png")
    let dynamic = UTType(filenameExtension: "zzz")
    #expect(dynamic?.tags == [.filenameExtension: ["zzz"]] && dynamic?.conforms(to: .data) == true)
    for (tag, tagClass) in [
      ("", UTTagClass.filenameExtension), ("png", .mimeType),
      ("x", UTTagClass(rawValue: "com.a.b")),
    ] {
      #expect(UTType(tag: tag, tagClass: tagClass, conformingTo: nil) == nil)
      #expect(UTType.types(tag: tag, tagClass: tagClass, conformingTo: nil).isEmpty)
    }
  }

  @Test func `a name gets the extension of its type where it has none`() {
    let folder = URL(filePath: "/tmp/a/")
    for (name, type, wanted) in [
      ("readme", UTType.plainText, "readme.txt"), ("puppy.jpg", .image, "puppy.jpg"),
      ("puppy.jpg", .plainText, "puppy.jpg.txt"), ("puppy", .image, "puppy"),
    ] {
      var url = folder.appendingPathComponent(name, conformingTo: type)
      #expect(url.lastPathComponent == wanted)
      url = folder.appendingPathComponent(name)
      url.appendPathExtension(for: type)
      #expect(url.lastPathComponent == wanted)
    }
    #expect(folder.appendingPathComponent("b", conformingTo: .folder).hasDirectoryPath)
  }

  @Test func `a program's own type conforms to its parent, in queries as well`() async throws {
    let name = "com.example.\(UUID().uuidString)"
    #expect(UTType(name) == nil && !UTType(exportedAs: name).isDeclared)
    let note = UTType(exportedAs: name, conformingTo: .plainText)
    #expect(note.conforms(to: .text) && note.supertypes.contains(.data) && note.isDeclared)
    #expect(UTType(name) == note && !note.isPublic)
    let child = UTType(importedAs: name + ".child", conformingTo: note)
    #expect(child.isSubtype(of: note) && child.conforms(to: .plainText))
    #expect(UTType(name.lowercased())?.identifier == name)
    #expect(child.supertypes.map(\.identifier).contains(name))
    // What the system declares stays what it is.
    #expect(!UTType(importedAs: "public.png", conformingTo: .text).conforms(to: .text))
    try await withApplication { index, _ in
      let item = CSSearchableItem(
        uniqueIdentifier: "a", domainIdentifier: nil,
        attributeSet: CSSearchableItemAttributeSet(contentType: child))
      try await index.indexSearchableItems([item])
      #expect(try await names(#"contentTypeTree == "public.text""#) == ["a"])
      #expect(try await names(#"contentTypeTree == "\#(name)""#) == ["a"])
      // Its items from here on have what the program tells of it later, too.
      _ = UTType(exportedAs: name, conformingTo: .image)
      try await index.indexSearchableItems([item])
      #expect(try await names(#"contentTypeTree == "public.image""#) == ["a"])
    }
  }
}
