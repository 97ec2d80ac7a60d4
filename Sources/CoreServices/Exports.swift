// Programs import CoreServices for the names of types and for the search of their items.
@_exported public import CoreSpotlight
@_exported public import MobileCoreServices
