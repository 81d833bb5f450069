import Telemetry

/// A setting that cannot be used. The text names the variable and what is allowed, and never shows a secret.
public struct SettingError: Error, Equatable, CustomStringConvertible {
  public let variable: String
  public let reason: String

  public init(_ variable: String, _ reason: String) {
    self.variable = variable
    self.reason = reason
  }

  init(_ setting: Setting, value: String, allowed: String) {
    let shown = setting.isSecret ? "the given value" : "\"\(VisibleValue.of(value))\""
    self.init(setting.variable, "\(shown) is not allowed; allowed is \(allowed)")
  }

  /// One line that a terminal can show, whatever was given.
  public var description: String {
    let isPredicate = ["is ", "holds ", "needs "].contains { reason.hasPrefix($0) }
    return VisibleText.of(isPredicate ? "\(variable) \(reason)" : "\(variable): \(reason)")
  }
}
