import Foundation
import JSON
import Messages
import Telemetry
import TestSupport
import Testing

@testable import Kafka
@testable import TubelineCLI

@Suite("Fuzz: text for people", .timeLimit(.minutes(60)))
struct OutputFuzzTests {
  @Test func noEscapeSequencePassesToATerminal() {
    Fuzz.run { one in
      let text = one.given(one.random.text())
      let visible = VisibleText.of(text)
      try claim(harmfulScalar(in: visible) == nil, visible.debugDescription)
      try claim(VisibleText.of(visible).utf8.elementsEqual(visible.utf8), "changed again: \(visible.debugDescription)")
      let width = one.random.below(30)
      let clipped = TextWidth.clipped(visible, to: width)
      try claim(TextWidth.of(clipped) <= width, "\(TextWidth.of(clipped)) columns for \(width): \(clipped.debugDescription)")
    }
  }

  @Test func noByteIsLostOrObeyed() {
    Fuzz.run { one in
      let bytes = one.given(one.random.bytes())
      let shown = [VisibleBytes.line(bytes)] + VisibleBytes.lines(bytes) + VisibleBytes.hexDump(bytes)
      for line in shown { try claim(harmfulScalar(in: line) == nil, line.debugDescription) }
      let digits = VisibleBytes.hexDump(bytes).flatMap { $0.dropFirst(10).prefix(47).split(separator: " ") }
      try claim(digits.compactMap { UInt8($0, radix: 16) } == bytes, "\(digits)")
    }
  }

  /// RFC 4180, read strictly; nil for what is none.
  private static func cells(_ line: [UInt8]) -> [[UInt8]]? {
    guard line.suffix(2) == [0x0D, 0x0A] else { return nil }
    var rest = line.dropLast(2)[...]
    var cells: [[UInt8]] = []
    while true {
      var cell: [UInt8] = []
      if rest.first == UInt8(ascii: "\"") {
        rest.removeFirst()
        while true {
          guard let byte = rest.popFirst() else { return nil }
          if byte == UInt8(ascii: "\"") {
            guard rest.first == UInt8(ascii: "\"") else { break }
            rest.removeFirst()
          }
          cell.append(byte)
        }
      } else {
        cell = Array(rest.prefix { $0 != UInt8(ascii: ",") })
        rest = rest.dropFirst(cell.count)
        if cell.contains(where: { [0x22, 0x0D, 0x0A].contains($0) }) { return nil }
      }
      cells.append(cell)
      guard let byte = rest.popFirst() else { return cells }
      if byte != UInt8(ascii: ",") { return nil }
    }
  }

  @Test func cellsOfCSVReadBackEqual() {
    Fuzz.run { one in
      let cells = (0...one.random.below(5)).map { _ in one.random.text() }
      _ = one.given("\(cells)")
      let line = CSVLine.text(cells)
      try claim(Self.cells(Array(line.utf8)) == cells.map { Array($0.utf8) }, line.debugDescription)
      let disarmed = CSVLine.disarmed(cells[0])
      let first = disarmed.unicodeScalars.first
      try claim(first.map { !"=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? true, disarmed.debugDescription)
    }
  }

  @Test func recordsOfAnyFormAreOneLineEach() {
    Fuzz.run { one in
      let kind = one.random.pick([RecordKind.videos, .channels, .events])
      let tree = one.random.chance(50) ? Sample.channelDetails(&one.random) : Sample.requestEvent(&one.random)
      let bytes = one.given(one.random.mutated(tree))
      let document = try? JSONDocument.parse(bytes)
      let headers = (0..<one.random.below(3)).map { _ in KafkaHeader(name: one.random.text(), value: one.random.bytes()) }
      let record = ConsumedRecord(
        topic: "t", partition: 0, offset: 1, timestamp: Int64(one.random.number()), key: one.random.bytes(),
        value: document == nil ? nil : bytes, headers: headers)
      var csv = RecordFormatter(kind: kind, format: .csv, width: nil)
      let cells = Self.cells(csv.lines(record, document?.root))
      try claim(cells?.count == kind.columns.count + 1, "\(cells?.count ?? 0) cells")
      var table = RecordFormatter(kind: kind, format: .table, width: one.random.below(200))
      let rows = String(decoding: table.lines(record, document?.root), as: UTF8.self) + table.flush()
      try claim(harmfulScalar(in: rows, except: ["\n"]) == nil, rows.debugDescription)
      try Self.checkJSON(kind, record, document, isWhole: one.random.chance(50))
    }
  }

  private static func checkJSON(_ kind: RecordKind, _ record: ConsumedRecord, _ document: JSONDocument?, isWhole: Bool) throws {
    var formatter = RecordFormatter(kind: kind, format: .jsonl, width: nil)
    formatter.showsMessage = isWhole
    let plain = formatter.lines(record, document?.root)
    formatter.isForTerminal = true
    let safe = formatter.lines(record, document?.root)
    let text = String(decoding: safe.dropLast(), as: UTF8.self)
    try claim(harmfulScalar(in: text, except: ["\t"]) == nil, text.debugDescription)
    try claim(plain.last == 0x0A && !plain.dropLast().contains(0x0A), "not one line")
    try claim(try JSONTree.parse(safe).bytes() == JSONTree.parse(plain).bytes(), "another record on a terminal")
  }

  @Test func deadLettersAreShownSafely() {
    Fuzz.run { one in
      let message = HeaderFuzzTests.message(&one.random)
      _ = one.given("\(message)")
      let id = DeadLetterID(stage: .videos, partition: 0, offset: 1)
      let letter = DeadLetterRecord(id: id, message: message, settlement: Settlement(message))
      let page = DeadLetterText.page(letter, asHex: one.random.chance(50))
      try claim(harmfulScalar(in: page, except: ["\n"]) == nil, page.debugDescription)
      let tree = DeadLetterText.json(letter, isWhole: true)
      try claim(try JSONTree.parse(tree.bytes())["letter"]?.string == id.description, "\(tree)")
    }
  }
}
