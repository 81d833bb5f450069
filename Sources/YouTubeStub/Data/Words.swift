/// Text of generated titles and descriptions.
enum Words {
  static let adjectives = [
    "Bright", "Quiet", "Modern", "Hidden", "Green", "Fast", "Slow", "Open", "Early", "Late", "Deep", "New", "Small", "Great", "Wild",
    "Calm",
  ]
  static let nouns = [
    "River", "Engine", "Kitchen", "Camera", "Forest", "Market", "Bridge", "Piano", "Planet", "Garden", "Library", "Tower", "Harbour",
    "Signal", "Window", "Journey",
  ]
  static let verbs = [
    "Building", "Learning", "Exploring", "Testing", "Fixing", "Comparing", "Introducing", "Understanding", "Visiting", "Designing",
  ]
  static let countries = ["US", "DE", "JP", "BR", "IN", "FR", "GB", "KR", "CH", "NG"]
  static let languages = ["en", "de", "ja", "pt-BR", "hi", "fr", "en-GB", "ko", "es-419", "ar"]

  /// Titles that clients get wrong: characters of HTML and JSON, other scripts and directions, invisible characters, great length.
  static let oddTitles = [
    "Q&A: <b>\"Swift\"</b> isn't > C++? It's < 5 min",
    "🎬 Trailer 🚀🚀 (Official) 👩‍👩‍👧‍👦 🇨🇭",
    "مرحبا بالعالم - שלום עולם",
    "日本語のタイトル【公式】",
    "zero\u{200b}width\u{200d}joiner\u{feff} and \u{202e}override\u{202c}",
    "Cafe\u{301} Zu\u{308}rich naïve — “quotes” … ½",
    "back\\slash \"quote\" /slash/ \t tab",
    "A very long title that reaches one hundred characters, the most that a video's title may have, exactly",
    "Ω≈ç√∫˜µ≤≥÷ ₿ € 𝕳𝖊𝖑𝖑𝖔",
    "100% free; price=$5 #hashtag @mention {json: [true]}",
  ]

  private static let sentences = [
    "In this video we show how it is made, step by step, from the first sketch to the finished thing.",
    "Subscribe for more: https://www.youtube.com/subscription_center?add_user=stub&feature=description",
    "Chapters:\n00:00 Introduction\n01:23 The idea\n04:56 What went wrong\n09:59 Results & thanks",
    "Learn more at https://example.com/path?a=1&b=2#fragment and tell us what you think in the comments.",
    "Music: \"Morning <Light>\" by The Generators, licensed under Creative Commons.",
    "Nobody asked for it, everybody needs it: the story behind the numbers. 📈",
    "Danke an alle, die mitgemacht haben – größer, schöner, später.",
    "ありがとうございます。チャンネル登録よろしくお願いします。",
    "The cameras were borrowed, the time was short and the weather did what weather does; still, here it is.",
    "#generated #stub #tests",
  ]

  static func pick(_ words: [String], _ hash: UInt64) -> String { words[Int(hash % UInt64(words.count))] }

  static func title(_ serial: Int, _ hash: UInt64) -> String {
    guard serial % 9 != 4 else { return pick(oddTitles, UInt64(serial / 9)) }
    return "\(pick(verbs, hash >> 8)) the \(pick(adjectives, hash >> 20)) \(pick(nouns, hash >> 32)) | Episode \(serial + 1)"
  }

  /// Empty now and then, otherwise up to about 1.5 kB.
  static func description(_ serial: Int, _ hash: UInt64) -> String {
    guard serial % 31 != 7 else { return "" }
    var text = ""
    text.reserveCapacity(1_600)
    var choice = Scramble.mix(hash)
    for index in 0..<(2 + Int(hash % 12)) {
      if index > 0 { text += index % 3 == 0 ? "\n\n" : " " }
      text += sentences[Int(choice % UInt64(sentences.count))]
      choice = Scramble.mix(choice)
    }
    return text
  }

  static func tags(_ serial: Int, _ hash: UInt64) -> [String]? {
    guard serial % 5 != 3 else { return nil }
    return (0..<(1 + Int(hash % 9))).map { index in
      let hash = Scramble.mix(hash, UInt64(index))
      return index == 2
        ? "\(pick(adjectives, hash)) & \(pick(nouns, hash >> 9))" : pick(index.isMultiple(of: 2) ? nouns : adjectives, hash).lowercased()
    }
  }
}
