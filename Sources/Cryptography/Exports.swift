// A hash is a value of every layer: who imports this one can speak of it.
@_exported public import Values
