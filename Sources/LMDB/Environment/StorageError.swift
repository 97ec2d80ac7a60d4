@_exported public import Values

/// The error of the layers below the event log.
package typealias StorageError = CairnError
