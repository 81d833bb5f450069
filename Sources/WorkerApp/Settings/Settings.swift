/// The values that this process was given: flags first, then the environment.
public struct Settings: Sendable {
  private let environment: [String: String]
  private let flags: [String: String]

  public init(environment: [String: String], flags: [String: String] = [:]) {
    self.environment = environment
    self.flags = flags
  }

  /// The text of a setting; an empty one counts as not given.
  public func text(_ setting: Setting) -> String? {
    let text = flags[setting.variable] ?? environment[setting.variable]
    return text?.isEmpty == false ? text : nil
  }

  /// Everything given, for parts that read names of their own (KAFKA_…).
  public var variables: [String: String] { environment.merging(flags) { _, flag in flag } }

  /// Sentences about variables that look like settings and are none. Errors they cannot be: the environment belongs to others, too.
  public func suspicions(among settings: [Setting] = Setting.worker) -> [String] {
    let names = settings.map(\.variable)
    let families = Set(names.compactMap { $0.split(separator: "_").first.map(String.init) }).subtracting(["KAFKA", "HTTP", "LOG", "OTEL"])
    return environment.keys.sorted().compactMap { name in
      guard !names.contains(name), let family = name.split(separator: "_").first, families.contains(String(family)) else { return nil }
      let nearest = NearestName.of(name, among: names).map { "; \($0) is one" } ?? ""
      return "\(VisibleValue.of(name)) is no setting\(nearest)"
    }
  }

  public func duration(_ setting: Setting, default fallback: Duration, in range: ClosedRange<Duration>) throws(SettingError) -> Duration {
    try optionalDuration(setting, in: range) ?? fallback
  }

  public func optionalDuration(_ setting: Setting, in range: ClosedRange<Duration>) throws(SettingError) -> Duration? {
    guard let text = text(setting) else { return nil }
    guard let value = SettingValue.duration(text), range.contains(value) else {
      throw SettingError(
        setting, value: text,
        allowed:
          "a duration such as 250ms, 20s, 5m or 1h, from \(SettingValue.text(range.lowerBound)) to \(SettingValue.text(range.upperBound))")
    }
    return value
  }

  public func number(_ setting: Setting, default fallback: Int, in range: ClosedRange<Int>) throws(SettingError) -> Int {
    try optionalNumber(setting, in: range) ?? fallback
  }

  public func optionalNumber(_ setting: Setting, in range: ClosedRange<Int>) throws(SettingError) -> Int? {
    guard let text = text(setting) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw SettingError(setting, value: text, allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  public func word<Word: RawRepresentable & CaseIterable>(
    _ setting: Setting, default fallback: Word
  ) throws(SettingError) -> Word where Word.RawValue == String {
    guard let text = text(setting) else { return fallback }
    guard let value = Word(rawValue: text) else {
      throw SettingError(setting, value: text, allowed: Word.allCases.map(\.rawValue).joined(separator: " or "))
    }
    return value
  }
}
