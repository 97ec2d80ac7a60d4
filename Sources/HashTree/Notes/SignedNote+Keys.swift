extension SignedNote {
  /// The note with the signatures of these keys alone, as they came.
  package func keeping(signaturesOf keys: [VerifierKey]) -> SignedNote {
    SignedNote(
      text: text,
      signatures: signatures.filter { signature in keys.contains { $0.isKey(of: signature) } })
  }
}
