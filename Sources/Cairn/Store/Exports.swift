// Events, errors and hashes are the vocabulary of the library: who imports Cairn can speak of them.
@_exported public import Events
@_exported public import Evidence
@_exported public import Schema
@_exported public import Values
