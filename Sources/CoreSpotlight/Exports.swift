// Apple's module gives these along: programs that import CoreSpotlight alone use dates and types.
@_exported public import Foundation
@_exported public import UniformTypeIdentifiers
