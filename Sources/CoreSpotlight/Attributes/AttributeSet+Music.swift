// Music.

extension CSSearchableItemAttributeSet {
  /// Samples in a second.
  public var audioSampleRate: NSNumber? {
    get { self[number: "audioSampleRate"] }
    set { self[number: "audioSampleRate"] = newValue }
  }

  /// How many channels of sound it has.
  public var audioChannelCount: NSNumber? {
    get { self[number: "audioChannelCount"] }
    set { self[number: "audioChannelCount"] = newValue }
  }

  /// Beats in a minute.
  public var tempo: NSNumber? {
    get { self[number: "tempo"] }
    set { self[number: "tempo"] = newValue }
  }

  /// Its key.
  public var keySignature: String? {
    get { self[text: "keySignature"] }
    set { self[text: "keySignature"] = newValue }
  }

  /// Its time.
  public var timeSignature: String? {
    get { self[text: "timeSignature"] }
    set { self[text: "timeSignature"] = newValue }
  }

  /// What encoded the sound.
  public var audioEncodingApplication: String? {
    get { self[text: "audioEncodingApplication"] }
    set { self[text: "audioEncodingApplication"] = newValue }
  }

  /// Who composed it.
  public var composer: String? {
    get { self[text: "composer"] }
    set { self[text: "composer"] = newValue }
  }

  /// Who wrote its words.
  public var lyricist: String? {
    get { self[text: "lyricist"] }
    set { self[text: "lyricist"] = newValue }
  }

  /// The album it is on.
  public var album: String? {
    get { self[text: "album"] }
    set { self[text: "album"] = newValue }
  }

  /// Who plays it.
  public var artist: String? {
    get { self[text: "artist"] }
    set { self[text: "artist"] = newValue }
  }

  /// Its number on the album.
  public var audioTrackNumber: NSNumber? {
    get { self[number: "audioTrackNumber"] }
    set { self[number: "audioTrackNumber"] = newValue }
  }

  /// When it was recorded.
  public var recordingDate: Date? {
    get { self[date: "recordingDate"] }
    set { self[date: "recordingDate"] = newValue }
  }

  /// Its genre.
  public var musicalGenre: String? {
    get { self[text: "musicalGenre"] }
    set { self[text: "musicalGenre"] = newValue }
  }

  /// Whether it can be played as General MIDI; in queries `generalMIDISequence`.
  public var isGeneralMIDISequence: NSNumber? {
    get { self[flag: "generalMIDISequence"] }
    set { self[flag: "generalMIDISequence"] = newValue }
  }

  /// The same as ``isGeneralMIDISequence``.
  public var generalMIDISequence: NSNumber? {
    get { self[flag: "generalMIDISequence"] }
    set { self[flag: "generalMIDISequence"] = newValue }
  }

  /// The kind of instrument.
  public var musicalInstrumentCategory: String? {
    get { self[text: "musicalInstrumentCategory"] }
    set { self[text: "musicalInstrumentCategory"] = newValue }
  }

  /// The instrument.
  public var musicalInstrumentName: String? {
    get { self[text: "musicalInstrumentName"] }
    set { self[text: "musicalInstrumentName"] = newValue }
  }
}
