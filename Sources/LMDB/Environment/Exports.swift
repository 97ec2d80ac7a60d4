// Errors are the vocabulary of every layer: who imports this one can speak of them.
@_exported public import Values
