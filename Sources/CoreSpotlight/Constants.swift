/// The type of the activity for a chosen item.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"
/// The key of that activity's `userInfo` for the item's unique identifier.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"
/// The type of the activity for a search that goes on in the application.
public let CSQueryContinuationActionType = "com.apple.corespotlightquerycontinuation"
/// The key of `userInfo` for the text searched for.
public let CSSearchQueryString = "kCSSearchQueryString"
/// The key of `userInfo` for the action chosen on an item.
public let CSActionIdentifier = "kCSActionIdentifier"
/// The attribute of the part of a suggestion that was typed.
public let CSSuggestionHighlightAttributeName = "CSSuggestionHighlightAttributeName"
/// The version of the interface.
public let CoreSpotlightAPIVersion = 40

/// The mailbox of mail that came in.
public let CSMailboxInbox = "CSMailboxInbox"
/// The mailbox of mail not yet sent.
public let CSMailboxDrafts = "CSMailboxDrafts"
/// The mailbox of mail sent.
public let CSMailboxSent = "CSMailboxSent"
/// The mailbox of unwanted mail.
public let CSMailboxJunk = "CSMailboxJunk"
/// The mailbox of mail thrown away.
public let CSMailboxTrash = "CSMailboxTrash"
/// The mailbox of mail put away.
public let CSMailboxArchive = "CSMailboxArchive"
