extension StemLanguage {
  /// Words that hardly any text of the language does without, and few of other languages have.
  ///
  /// None for languages that are not told by their words.
  package var commonWords: [String] {
    switch self {
    case .arabic: ["في", "من", "على", "إلى"]
    case .armenian: ["և", "է", "են"]
    case .basque: ["eta", "da", "bat"]
    case .catalan: ["els", "amb", "és", "aquest"]
    case .danish: ["og", "af", "ikke", "til"]
    case .dutch: ["het", "een", "van", "niet"]
    case .english: ["the", "and", "of", "with"]
    case .finnish: ["ja", "että", "oli", "ei"]
    case .french: ["les", "des", "est", "dans"]
    case .german: ["der", "und", "nicht", "das"]
    case .greek: ["και", "το", "της", "να"]
    case .hindi: ["के", "में", "है", "और"]
    case .hungarian: ["az", "hogy", "nem", "egy"]
    case .indonesian: ["yang", "dan", "dengan", "ini"]
    case .irish: ["agus", "an", "bhí"]
    case .italian: ["che", "gli", "della", "sono"]
    case .lithuanian: ["ir", "kad", "yra"]
    case .norwegian: ["og", "av", "ikke", "til"]
    case .portuguese: ["não", "uma", "os", "em"]
    case .romanian: ["și", "este", "din", "pentru"]
    case .russian: ["и", "не", "на", "что"]
    case .spanish: ["los", "el", "las", "por"]
    case .swedish: ["och", "inte", "att", "för"]
    case .tamil: ["மற்றும்", "ஒரு", "என்று"]
    case .turkish: ["ve", "bir", "için", "bu"]
    case .nepali, .serbian, .yiddish: []
    }
  }
}
