import Quota
import QuotaStores
import WorkerApp

/// Opens the ledger that a command's settings name, for as long as it is used.
enum Ledger {
  static func use<Result>(
    _ configuration: AppConfiguration, _ body: (any QuotaStore) async throws -> Result
  ) async throws -> Result {
    let store = try await open(configuration.quotaStore)
    do {
      let result = try await body(store)
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }

  /// An address that names no store is a wrong setting, as it is for workers.
  static func open(_ url: String) async throws -> any QuotaStore {
    do { return try await QuotaStoreURL.open(url, calendar: .pacific()) } catch let error as QuotaStoreError where error.code == .invalid {
      throw SettingError(Setting.quotaStore.variable, error.message)
    }
  }

  /// For the help of commands that take one.
  static let buckets = "Buckets: \(Bucket.allCases.map(\.rawValue).joined(separator: ", ")). Of search, a unit is a search."

  /// The bucket that an operand names.
  static func bucket(_ arguments: ParsedArguments, operands count: Int) throws(UsageError) -> Bucket {
    guard arguments.operands.count == count, let name = arguments.operands.first else {
      throw UsageError(count == 1 ? "Give one bucket." : "Give a bucket and a number of units.")
    }
    guard let bucket = Bucket(rawValue: name) else {
      let names = Bucket.allCases.map(\.rawValue)
      let nearest = NearestName.of(name, among: names).map { " Did you mean \($0)?" } ?? ""
      throw UsageError("There is no bucket \"\(name)\"; there are \(names.joined(separator: ", ")).\(nearest)")
    }
    return bucket
  }
}
