extension Settings {
  /// A secret that is a variable or lies in the file that another variable names, and the variable that it came from.
  public func secret(_ setting: Setting, orFile fileSetting: Setting) throws(SettingError) -> (text: String, variable: String)? {
    guard let path = text(fileSetting) else { return text(setting).map { ($0, setting.variable) } }
    guard text(setting) == nil else { throw SettingError(fileSetting.variable, "is set, and \(setting.variable) too; set one of them") }
    return (try SecretFile.read(path, variable: fileSetting.variable), fileSetting.variable)
  }
}
