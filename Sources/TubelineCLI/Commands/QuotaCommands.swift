import FoundationEssentials
import JSON
import Quota
import Telemetry
import WorkerApp

/// `tubeline quota show`: the ledger that all workers share.
enum QuotaShowCommand: Command {
  enum Format: String, CaseIterable { case table, json }

  static let settings: [Setting] = [.quotaStore, .dailyUnits, .dailySearches, .reserve]

  static let specification = CommandSpecification(
    name: "quota show", summary: "shows what is spent and left of each bucket",
    options: [OptionSpecification("--format", "table|json", "Default: table.")], settings: settings,
    examples: [.init("tubeline quota --quota-store redis://127.0.0.1:6379/0 --format json", "One object a bucket.")],
    notes: ["Buckets are full again at midnight in America/Los_Angeles. \"tubeline quota\" alone means the same."])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    try invocation.arguments.expectNoOperands()
    let format: Format = try invocation.arguments.word("--format") ?? .table
    let configuration = try invocation.configuration()
    let buckets = try await Ledger.use(configuration) { try await $0.status(configuration.quotaPolicy) }
    switch format {
    case .json: for bucket in buckets { try invocation.output.write(json(bucket).bytes() + [0x0A]) }
    case .table: try invocation.output.write(table(buckets, width: TerminalSize.columns(of: invocation.output)))
    }
    return .done
  }

  static func json(_ status: BucketStatus) -> JSONTree {
    [
      "bucket": .string(status.bucket.rawValue), "spent": .int(status.spent), "limit": .int(status.limit),
      "remaining": .int(status.remaining),
      "resetsAt": .string(Timestamp.rfc3339(status.resetsAt)), "exhausted": .bool(status.isExhausted), "drift": .int(status.drift),
      "contradictions": .int(status.contradictions), "doubted": .bool(status.isDoubted),
      "clockBehindSeconds": .int(Int(status.clockBehind.components.seconds)),
    ]
  }

  static func table(_ buckets: [BucketStatus], width: Int?) -> String {
    var table = TextTable(columns: [
      .init("bucket"), .init("spent", .right, dispensable: 2), .init("limit", .right, dispensable: 1), .init("left", .right),
      .init("reset", dispensable: 3, brief: Self.wait), .init("state", flexible: true, comfort: 64),
    ])
    for status in buckets {
      let wait = Spans.short(.seconds(Int(max(0, status.resetsAt.timeIntervalSinceNow))))
      table.append([
        status.bucket.rawValue, Spans.count(status.spent), Spans.count(status.limit), Spans.count(status.remaining),
        "\(Timestamp.rfc3339(status.resetsAt).prefix(16))Z, in \(wait)", state(status),
      ])
    }
    return table.text(width: width)
  }

  // 2026-02-01T08:00Z, in 3 h → in 3 h.
  private static func wait(_ reset: String) -> String {
    reset.firstIndex(of: ",").map { String(reset[$0...].dropFirst(2)) } ?? reset
  }

  /// What hinders calls of the bucket, and how our count and the API's word differ.
  static func state(_ status: BucketStatus) -> String {
    var state = status.isExhausted ? "used up, says YouTube" : status.remaining > 0 ? "ok" : "used up"
    if status.isDoubted { state = "stopped, the ledger lost data: tubeline quota set \(status.bucket) UNITS" }
    if status.clockBehind > .zero {
      state = "stopped, the store's clock is \(Spans.short(status.clockBehind)) behind the ledger: tubeline doctor"
    }
    if status.drift > 0 { state += ", \(Spans.count(status.drift)) units more than counted" }
    if status.contradictions > 0 { state += ", yet it answered later calls (\(Spans.count(status.contradictions)))" }
    return state
  }
}

/// `tubeline quota set`: the operator's word.
enum QuotaSetCommand: Command {
  static let specification = CommandSpecification(
    name: "quota set", summary: "sets what is spent of a bucket today, and prints what it was", operands: "BUCKET UNITS",
    settings: [.quotaStore],
    examples: [.init("tubeline quota set default 3193", "What Google's console shows, after other programs spent from the same project.")],
    notes: [Ledger.buckets, "Also forgets that YouTube called the bucket used up, and confirms the ledger after a loss of data."])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let bucket = try Ledger.bucket(invocation.arguments, operands: 2)
    guard let units = Int(invocation.arguments.operands[1]), (0...50_000_000).contains(units) else {
      throw UsageError("Units are a whole number, 0 to 50000000; given is \"\(invocation.arguments.operands[1])\".")
    }
    let before = try await Ledger.use(invocation.configuration()) { try await $0.set(bucket, spent: units) }
    // In a terminal the sentence says it.
    if !invocation.output.isTerminal { try invocation.output.write("\(before)\n") }
    invocation.messages.line("\(bucket): \(Spans.count(units)) units are spent today; it was \(Spans.count(before)).")
    return .done
  }
}

/// `tubeline quota clear`: forgets what the API said.
enum QuotaClearCommand: Command {
  static let specification = CommandSpecification(
    name: "quota clear", summary: "forgets that YouTube called a bucket used up; the count stays", operands: "BUCKET",
    settings: [.quotaStore],
    examples: [.init("tubeline quota clear default", "After the project's quota was raised.")],
    notes: [Ledger.buckets])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let bucket = try Ledger.bucket(invocation.arguments, operands: 1)
    try await Ledger.use(invocation.configuration()) { try await $0.clearExhaustion(bucket) }
    invocation.messages.line("\(bucket): calls may be granted again, as far as the count allows.")
    return .done
  }
}
