@_exported public import Values

/// Why an event was refused, or why stored bytes are no event.
public typealias EventError = CairnError
