import Foundation
import JSON
import Messages
import Testing

extension EndToEndTests {
  /// `tubeline harvest` as a user runs it: broker and workers are its own, only the API is the world's stub, which counts.
  @Suite(.serialized, .timeLimit(.minutes(3)))
  struct HarvestTests {
    private static let names = ["Apple", "Google", "Microsoft"]

    /// What a listing costs at least: the look-up, and for each page of 50 the list and the videos.
    private func units(_ truth: StubControl.Truth) -> Int { 1 + 2 * ((truth.listed + 49) / 50) }

    @Test(.world()) func threeChannelsAreHarvestedWholeForTheFewestUnits() async throws {
      let world = try World.current
      var truths: [StubControl.Truth] = []
      for name in Self.names { truths.append(try await world.stub.truth("@\(name)")) }
      let harvest = try world.start("tubeline", ["harvest"] + Self.names)
      #expect(try await harvest.ended(within: .seconds(150)) == .exited(0), "\(harvest.tail(40))")

      let records = try harvest.output.map { try JSONTree.parse(Array($0.utf8)) }
      let listed = truths.reduce(0) { $0 + $1.listed }
      #expect(records.count == listed)
      #expect(Set(records.compactMap { $0["videoId"]?.string }).count == listed)
      let requests = Dictionary(grouping: records) { $0["requestId"]?.string ?? "" }
      #expect(requests.values.map(\.count).sorted() == truths.map(\.listed).sorted())
      let available = records.count { $0["availability"] == "public" || $0["availability"] == "unlisted" }
      #expect(available == truths.reduce(0) { $0 + $1.available })

      let table = harvest.log.map { $0.split(whereSeparator: { $0 == " " || $0 == "," }).joined(separator: " ") }
      for (name, truth) in zip(Self.names, truths) {
        let row = "\(name) \(grouped(truth.listed)) \(truth.listed - truth.available) \((truth.listed + 49) / 50) \(units(truth))"
        #expect(table.contains(row), "\(row)\n\(harvest.tail(12))")
      }
      let least = truths.reduce(0) { $0 + units($1) }
      #expect(table.contains { $0.hasPrefix("total \(grouped(listed)) ") && $0.hasSuffix(" \(least)") }, "\(harvest.tail(12))")
      #expect(try await world.stub.statistics().units["default"] == least)
    }

    // Thousands stand apart in the table; the comma counts as a blank above.
    private func grouped(_ number: Int) -> String {
      number < 1000 ? "\(number)" : "\(number / 1000) " + String(String(number % 1000 + 1000).dropFirst())
    }

    @Test(.world()) func aClosedStandardOutputIsToldBeforeAnythingIsSpent() async throws {
      let world = try World.current
      let harvest = try world.startShell("exec \"$0\" harvest Apple --max-videos 60 >&-", "tubeline")
      #expect(try await harvest.ended() == .exited(1))
      #expect(harvest.log.contains { $0.contains("standard output is not open for writing") }, "\(harvest.tail())")
      #expect(try await world.stub.statistics().calls.isEmpty)
    }

    @Test(.world()) func aReaderThatLeavesEarlyIsToldAndIsNoSuccess() async throws {
      let world = try World.current
      let harvest = try world.startShell("{ \"$0\" harvest Google; echo \"ended with $?\" >&2; } | head -n 1", "tubeline")
      _ = try await harvest.ended(within: .seconds(60))
      #expect(harvest.log.contains("ended with 1"), "\(harvest.tail(40))")
      #expect(harvest.log.count { $0.hasPrefix("The reader of the output left after ") } == 1, "\(harvest.tail(40))")
    }

    @Test(.world()) func aFileNeedsNoStandardOutput() async throws {
      let world = try World.current
      let path = world.folder + "/videos.jsonl"
      let harvest = try world.startShell("exec \"$0\" harvest Apple --max-videos 60 --output \"$1\" <&- >&-", "tubeline", [path])
      #expect(try await harvest.ended(within: .seconds(60)) == .exited(0), "\(harvest.tail(40))")
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 60)
      #expect(try lines.allSatisfy { try JSONTree.parse(Array($0.utf8))["videoId"] != nil })
    }

    /// A limit on the size of files takes a part of a write, as a full disk does.
    @Test(.world()) func aFullDiskLeavesWholeRecordsAndATrueTable() async throws {
      let world = try World.current
      let path = world.folder + "/videos.jsonl"
      let script = #"trap "" XFSZ; ulimit -f 2000; exec "$0" harvest Google --output "$1""#
      let harvest = try world.startShell(script, "tubeline", [path])
      #expect(try await harvest.ended(within: .seconds(60)) == .exited(1))
      #expect(harvest.log.contains { $0.contains("Cannot go on: the output cannot be written: File too large") }, "\(harvest.tail(20))")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let lines = text.split(separator: "\n")
      #expect(text.hasSuffix("\n") && text.utf8.count > 900_000)
      #expect(try lines.allSatisfy { try JSONTree.parse(Array($0.utf8))["videoId"] != nil })
      let rows = harvest.log.filter { $0.hasPrefix("Google") }.map { $0.filter { $0 != "," } }
      #expect(rows.contains { $0.split(separator: " ").contains("\(lines.count)") }, "\(lines.count) records\n\(harvest.tail(20))")
    }
  }
}
