// Messages and who takes part in them.

extension CSSearchableItemAttributeSet.KnownAttributes {
  /// The account it belongs to.
  public var accountIdentifier: Attribute<String> { .text("accountIdentifier") }
  /// The handles of that account.
  public var accountHandles: Attribute<[String]> { .texts("accountHandles") }
  /// Its content as HTML in UTF-8; in queries `HTMLContentData`.
  public var htmlContentData: Attribute<Data> { .bytes("HTMLContentData") }
  /// Its text, which `**` searches.
  public var textContent: Attribute<String> { .text("textContent") }
  /// Who wrote it.
  public var authors: Attribute<[CSPerson]> { .persons("authors") }
  /// Whom it is to.
  public var primaryRecipients: Attribute<[CSPerson]> { .persons("primaryRecipients") }
  /// Who gets a copy.
  public var additionalRecipients: Attribute<[CSPerson]> { .persons("additionalRecipients") }
  /// Who gets a hidden copy.
  public var hiddenAdditionalRecipients: Attribute<[CSPerson]> {
    .persons("hiddenAdditionalRecipients")
  }
  /// The headers of a mail.
  public var emailHeaders: Attribute<[String: [Any]]> { .headers("emailHeaders") }
  /// The mailboxes it is in.
  public var mailboxIdentifiers: Attribute<[String]> { .texts("mailboxIdentifiers") }
  /// The names of who wrote it.
  public var authorNames: Attribute<[String]> { .texts("authorNames") }
  /// The names of who gets it.
  public var recipientNames: Attribute<[String]> { .texts("recipientNames") }
  /// The mail addresses of who wrote it.
  public var authorEmailAddresses: Attribute<[String]> { .texts("authorEmailAddresses") }
  /// The mail addresses of who gets it.
  public var recipientEmailAddresses: Attribute<[String]> { .texts("recipientEmailAddresses") }
  /// Any addresses of who wrote it.
  public var authorAddresses: Attribute<[String]> { .texts("authorAddresses") }
  /// Any addresses of who gets it.
  public var recipientAddresses: Attribute<[String]> { .texts("recipientAddresses") }
  /// Telephone numbers.
  public var phoneNumbers: Attribute<[String]> { .texts("phoneNumbers") }
  /// Mail addresses.
  public var emailAddresses: Attribute<[String]> { .texts("emailAddresses") }
  /// Addresses for short messages.
  public var instantMessageAddresses: Attribute<[String]> { .texts("instantMessageAddresses") }
  /// Whether it is probably unwanted; in queries `likelyJunk`.
  public var isLikelyJunk: Attribute<NSNumber> { .flag("likelyJunk") }
  /// The same as ``isLikelyJunk``.
  public var likelyJunk: Attribute<NSNumber> { .flag("likelyJunk") }
}
