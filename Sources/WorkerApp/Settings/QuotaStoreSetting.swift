import QuotaStores

/// The ledger's address, completed by a password that is kept apart from it.
enum QuotaStoreSetting {
  static func read(_ settings: Settings) throws(SettingError) -> String {
    let url = settings.text(.quotaStore)
    guard let (password, variable) = try settings.secret(.quotaStorePassword, orFile: .quotaStorePasswordFile) else {
      return url ?? "sqlite://" + StateFolder.path(settings.variables) + "/quota.db"
    }
    switch QuotaStoreURL.adding(password: password, to: url ?? "") {
    case .added(let complete): return complete
    case .holdsOne: throw SettingError(variable, "is set, and \(Setting.quotaStore.variable) holds a password too; set one of them")
    case .takesNone:
      throw SettingError(variable, "is for a \(Setting.quotaStore.variable) that begins with redis:// or unix://")
    }
  }
}
