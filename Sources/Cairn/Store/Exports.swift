// Events are the vocabulary of the library: who imports Cairn can speak of them.
@_exported public import Events
