import Testing

/// A few sentences of each script, written for these tests, and what may be asked of them.
struct ScriptSample: Sendable, CustomTestStringConvertible {
  var language: String
  var texts: [String]

  var testDescription: String { language }

  /// Scripts without spaces, or whose words people look into: any piece of a run is a query.
  static let unspaced = [
    ScriptSample(
      language: "Chinese",
      texts: [
        "东京都庁在新宿，京都在西边。", "测试工具箱：第12章，系统v2升级", "Linux系统 与 Linux 内核", "學而時習之，不亦說乎", "中文全文搜索引擎的测试",
        "系統與系统",
      ]),
    ScriptSample(
      language: "Japanese",
      texts: [
        "東京都庁への行き方をかく", "がぎぐげご、かきくけこ", "データ・ベースのテスト", "ｶﾞｷﾞ半角とガギ全角", "5月30日の会議は10時から",
        "Swiftで検索エンジンを書く", "ページとべーじ、ぺーじ",
      ]),
    ScriptSample(
      language: "Korean",
      texts: [
        "한국어 검색엔진을 시험한다", "검색 엔진의 한국 역사", "서울특별시 종로구", "파일을 압축하고 해제합니다", "Docker를 설치하는 방법",
        "값과 갑, 각",
      ]),
    ScriptSample(
      language: "Thai",
      texts: [
        "คำสั่งนี้เป็นส่วนหนึ่งของระบบ", "ภาษาไทยไม่มีช่องว่าง", "ค้นหาไฟล์ในโฟลเดอร์", "กรุงเทพมหานคร",
        "น้ำตกและน้ำแข็ง", "Git คือระบบ",
      ]),
    ScriptSample(
      language: "Lao",
      texts: [
        "ພາສາລາວບໍ່ມີຊ່ອງຫວ່າງ", "ນະຄອນຫຼວງວຽງຈັນ", "ຄົ້ນຫາເອກະສານໃນລະບົບ", "ປະເທດລາວແລະປະເທດໄທ", "ນ້ຳຕົກ",
        "ລະບົບໃໝ່",
      ]), ScriptSample(language: "Khmer", texts: ["ភាសាខ្មែរមិនដកឃ្លា", "ស្វែងរកឯកសារ", "រាជធានីភ្នំពេញ"]),
    ScriptSample(language: "Burmese", texts: ["မြန်မာဘာသာစကား", "ရန်ကုန်မြို့", "စာရွက်စာတမ်းရှာဖွေ"]),
  ]

  /// Scripts whose words stand apart: each word is a query.
  static let spaced = [
    ScriptSample(
      language: "Hindi",
      texts: [
        "यह एक उपकरण है।", "फ़ाइल की सूची दिखाएं", "सूचीपत्र और सूची।", "हिन्दी, उर्दू और पंजाबी", "क़लम और कलम", "फाइलों को खोजें",
        "प्रोग्राम चलाना",
      ]),
    ScriptSample(
      language: "Arabic",
      texts: [
        "هذا كتاب مُحَمَّد", "كتــاب و كتب", "أحمد في المدينة، وأحمد هنا", "البحث عن الملفات",
        "ملفات النظام؛ نظام جديد", "جمهورية مصر العربية", "إسرائيل وفلسطين",
      ]), ScriptSample(language: "Hebrew", texts: ["שָׁלוֹם עולם", "שלום לכם", "ספר חדש ספרים"]),
    ScriptSample(language: "Tamil", texts: ["தமிழ் மொழி", "தமிழ்நாடு", "ஒரு மொழி"]),
  ]

  /// Every piece of one to four characters of the runs of letters; each once.
  var pieces: [String] {
    var found: Set<String> = []
    for text in texts {
      for run in text.split(whereSeparator: { !$0.isPart }) {
        for start in run.indices {
          for count in 1...4 {
            guard let end = run.index(start, offsetBy: count, limitedBy: run.endIndex) else {
              break
            }
            let piece = run[start..<end]
            // Words of the Latin script and numbers are found whole.
            if piece.allSatisfy({ !$0.isASCII }) { found.insert(String(piece)) }
          }
        }
      }
    }
    return found.sorted()
  }

  /// Every word of the texts, each once.
  var words: [String] { Set(texts.flatMap(ScriptTruth.words)).sorted() }
}

extension Character {
  /// Whether a run goes on with it.
  fileprivate var isPart: Bool { isLetter || isNumber || unicodeScalars.allSatisfy(\.isMark) }
}

extension Unicode.Scalar {
  /// Whether it only ever stands on a letter.
  var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
