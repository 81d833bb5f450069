import FoundationEssentials
import HTTPClient
import JSON
import Quota
import Stages
import Telemetry
import WorkerApp
import YouTubeAPI

/// `tubeline plan`: the price before the purchase.
enum PlanCommand: Command {
  enum Format: String, CaseIterable { case table, json }

  static let specification = CommandSpecification(
    name: "plan", summary: "tells what a harvest would cost, and whether today's units suffice", operands: "NAME…",
    options: [
      RequestFlags.from, RequestFlags.maxVideos, RequestFlags.publishedAfter, RequestFlags.noEnrich, RequestFlags.allowSearch,
      OptionSpecification("--format", "table|json", "Default: table."),
    ],
    settings: [.apiURL, .apiKey, .apiKeyFile, .quotaStore, .dailyUnits, .dailySearches, .reserve],
    examples: [
      .init("tubeline plan @Google @Apple --no-enrich", "Videos, pages and units of each channel, the sum, and what is left today.")
    ],
    notes: [
      """
      Resolving the names costs units itself (about one a name; 50 channel ids share one), which are taken from the ledger and reported.
      Counts are YouTube's own and tell public videos only, while lists hold private and deleted entries too: a plan may be some percent too
      low. Ends with exit code 1 when a name cannot be planned; whether today suffices does not change the exit code.
      """,
      """
      With --published-after the plan is an upper bound: dates are told by the lists alone, and reading those is the harvest. A list of
      uploads ends at the page whose videos are all too old; another playlist is read to its end.
      """,
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let options = try RequestFlags.options(invocation.arguments)
    let format: Format = try invocation.arguments.word("--format") ?? .table
    let list = ReferenceList(try await NameInput.names(invocation.arguments), allowSearch: options.allowSearch)
    for problem in list.problems { invocation.messages.line(problem) }
    guard list.problems.isEmpty else { return .usage }
    let configuration = try invocation.configuration(key: .required)
    return try await Ledger.use(configuration) { store in
      let gate = OneShotGate(store: store, policy: configuration.quotaPolicy)
      let client = YouTubeClient(
        configuration: configuration.api, transport: CurlTransport(), gate: gate, retry: BackoffRetry())
      let planner = Planner(client: client, gate: gate, options: options)
      let terms = HarvestPlan.Terms(maxVideos: options.maxVideos, enriches: options.enrich, endsByDate: options.publishedAfter != nil)
      let plan = HarvestPlan(items: await planner.items(list.entries), terms: terms)
      let status = try await store.status(configuration.quotaPolicy).first { $0.bucket == .default }
      let report = PlanReport(
        plan: plan, spent: gate.spent, status: status, daily: configuration.quotaPolicy.terms(for: .default).usable)
      switch format {
      case .json: try invocation.output.write(report.json.bytes(pretty: true) + [0x0A])
      case .table: try invocation.output.write(report.table(width: TerminalSize.columns(of: invocation.output)))
      }
      return plan.items.allSatisfy { $0.problem == nil } ? .done : .incomplete
    }
  }
}
