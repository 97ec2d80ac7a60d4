// Music.

extension CSSearchableItemAttributeSet.KnownAttributes {
  /// Samples in a second.
  public var audioSampleRate: Attribute<NSNumber> { .number("audioSampleRate") }
  /// How many channels of sound it has.
  public var audioChannelCount: Attribute<NSNumber> { .number("audioChannelCount") }
  /// Beats in a minute.
  public var tempo: Attribute<NSNumber> { .number("tempo") }
  /// Its key.
  public var keySignature: Attribute<String> { .text("keySignature") }
  /// Its time.
  public var timeSignature: Attribute<String> { .text("timeSignature") }
  /// What encoded the sound.
  public var audioEncodingApplication: Attribute<String> { .text("audioEncodingApplication") }
  /// Who composed it.
  public var composer: Attribute<String> { .text("composer") }
  /// Who wrote its words.
  public var lyricist: Attribute<String> { .text("lyricist") }
  /// The album it is on.
  public var album: Attribute<String> { .text("album") }
  /// Who plays it.
  public var artist: Attribute<String> { .text("artist") }
  /// Its number on the album.
  public var audioTrackNumber: Attribute<NSNumber> { .number("audioTrackNumber") }
  /// When it was recorded.
  public var recordingDate: Attribute<Date> { .date("recordingDate") }
  /// Its genre.
  public var musicalGenre: Attribute<String> { .text("musicalGenre") }
  /// Whether it can be played as General MIDI; in queries `generalMIDISequence`.
  public var isGeneralMIDISequence: Attribute<NSNumber> { .flag("generalMIDISequence") }
  /// The same as ``isGeneralMIDISequence``.
  public var generalMIDISequence: Attribute<NSNumber> { .flag("generalMIDISequence") }
  /// The kind of instrument.
  public var musicalInstrumentCategory: Attribute<String> { .text("musicalInstrumentCategory") }
  /// The instrument.
  public var musicalInstrumentName: Attribute<String> { .text("musicalInstrumentName") }
}
