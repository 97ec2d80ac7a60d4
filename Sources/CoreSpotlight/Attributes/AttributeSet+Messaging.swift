// Messages and who takes part in them.

extension CSSearchableItemAttributeSet {
  /// The account it belongs to.
  public var accountIdentifier: String? {
    get { self[text: "accountIdentifier"] }
    set { self[text: "accountIdentifier"] = newValue }
  }

  /// The handles of that account.
  public var accountHandles: [String]? {
    get { self[texts: "accountHandles"] }
    set { self[texts: "accountHandles"] = newValue }
  }

  /// Its content as HTML in UTF-8; in queries `HTMLContentData`.
  public var htmlContentData: Data? {
    get { self[bytes: "HTMLContentData"] }
    set { self[bytes: "HTMLContentData"] = newValue }
  }

  /// Its text, which `**` searches.
  public var textContent: String? {
    get { self[text: "textContent"] }
    set { self[text: "textContent"] = newValue }
  }

  /// Who wrote it.
  public var authors: [CSPerson]? {
    get { self[persons: "authors"] }
    set { self[persons: "authors"] = newValue }
  }

  /// Whom it is to.
  public var primaryRecipients: [CSPerson]? {
    get { self[persons: "primaryRecipients"] }
    set { self[persons: "primaryRecipients"] = newValue }
  }

  /// Who gets a copy.
  public var additionalRecipients: [CSPerson]? {
    get { self[persons: "additionalRecipients"] }
    set { self[persons: "additionalRecipients"] = newValue }
  }

  /// Who gets a hidden copy.
  public var hiddenAdditionalRecipients: [CSPerson]? {
    get { self[persons: "hiddenAdditionalRecipients"] }
    set { self[persons: "hiddenAdditionalRecipients"] = newValue }
  }

  /// The headers of a mail.
  public var emailHeaders: [String: [Any]]? {
    get { self[headers: "emailHeaders"] }
    set { self[headers: "emailHeaders"] = newValue }
  }

  /// The mailboxes it is in.
  public var mailboxIdentifiers: [String]? {
    get { self[texts: "mailboxIdentifiers"] }
    set { self[texts: "mailboxIdentifiers"] = newValue }
  }

  /// The names of who wrote it.
  public var authorNames: [String]? {
    get { self[texts: "authorNames"] }
    set { self[texts: "authorNames"] = newValue }
  }

  /// The names of who gets it.
  public var recipientNames: [String]? {
    get { self[texts: "recipientNames"] }
    set { self[texts: "recipientNames"] = newValue }
  }

  /// The mail addresses of who wrote it.
  public var authorEmailAddresses: [String]? {
    get { self[texts: "authorEmailAddresses"] }
    set { self[texts: "authorEmailAddresses"] = newValue }
  }

  /// The mail addresses of who gets it.
  public var recipientEmailAddresses: [String]? {
    get { self[texts: "recipientEmailAddresses"] }
    set { self[texts: "recipientEmailAddresses"] = newValue }
  }

  /// Any addresses of who wrote it.
  public var authorAddresses: [String]? {
    get { self[texts: "authorAddresses"] }
    set { self[texts: "authorAddresses"] = newValue }
  }

  /// Any addresses of who gets it.
  public var recipientAddresses: [String]? {
    get { self[texts: "recipientAddresses"] }
    set { self[texts: "recipientAddresses"] = newValue }
  }

  /// Telephone numbers.
  public var phoneNumbers: [String]? {
    get { self[texts: "phoneNumbers"] }
    set { self[texts: "phoneNumbers"] = newValue }
  }

  /// Mail addresses.
  public var emailAddresses: [String]? {
    get { self[texts: "emailAddresses"] }
    set { self[texts: "emailAddresses"] = newValue }
  }

  /// Addresses for short messages.
  public var instantMessageAddresses: [String]? {
    get { self[texts: "instantMessageAddresses"] }
    set { self[texts: "instantMessageAddresses"] = newValue }
  }

  /// Whether it is probably unwanted; in queries `likelyJunk`.
  public var isLikelyJunk: NSNumber? {
    get { self[flag: "likelyJunk"] }
    set { self[flag: "likelyJunk"] = newValue }
  }

  /// The same as ``isLikelyJunk``.
  public var likelyJunk: NSNumber? {
    get { self[flag: "likelyJunk"] }
    set { self[flag: "likelyJunk"] = newValue }
  }
}
