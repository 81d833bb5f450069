import Foundation
import Glibc
import TestSupport
import Testing

/// A property that does not hold, in words.
struct Broken: Error, CustomStringConvertible {
  let description: String
}

func claim(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
  guard holds else { throw Broken(description: sentence()) }
}

/// One case: what it is made of, and what it was.
struct FuzzCase {
  var random: Mutator
  /// Shown when the case fails.
  var input = ""

  /// Keeps the bytes for the report.
  mutating func given(_ bytes: [UInt8]) -> [UInt8] {
    input = String(decoding: bytes.prefix(2000), as: UTF8.self).debugDescription
    return bytes
  }

  mutating func given(_ text: String) -> String {
    input = String(text.unicodeScalars.prefix(2000)).debugDescription
    return text
  }
}

/// Runs a property over many seeded cases.
///
/// `FUZZ_CASES` says how many, `FUZZ_SEED` repeats a run, and `FUZZ_CASE` runs one case of it alone.
enum Fuzz {
  private static let environment = ProcessInfo.processInfo.environment
  static let count = environment["FUZZ_CASES"].flatMap { Int($0) } ?? 2000
  static let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
  private static let only = environment["FUZZ_CASE"].flatMap { Int($0) }
  // Loosely: a case takes microseconds, and other programs run beside the tests.
  private static let longest = 1.0
  private static let mostReports = 3

  private static let announced: Void = print("fuzz: \(count) cases each, seed \(seed); FUZZ_SEED=\(seed) repeats them")

  /// - Parameter share: of the usual number of cases, for properties that cost far more than others.
  static func run(
    share: Double = 1, _ name: String = #function, at location: SourceLocation = #_sourceLocation,
    _ property: (inout FuzzCase) throws -> Void
  ) {
    var tally = Tally(name, location)
    for number in numbers(share) where tally.goesOn {
      var one = tally.begin(number)
      let start = tally.seconds()
      do { try property(&one) } catch { tally.fail(one, "\(error)") }
      tally.took(tally.seconds() - start, one)
    }
  }

  static func run(
    share: Double = 1, _ name: String = #function, at location: SourceLocation = #_sourceLocation,
    _ property: (inout FuzzCase) async throws -> Void
  ) async {
    var tally = Tally(name, location)
    for number in numbers(share) where tally.goesOn {
      var one = tally.begin(number)
      do { try await property(&one) } catch { tally.fail(one, "\(error)") }
    }
  }

  private static func numbers(_ share: Double) -> Range<Int> {
    _ = announced
    if let only { return only..<only + 1 }
    return 0..<max(1, Int(Double(count) * share))
  }

  private struct Tally {
    let name: String
    let location: SourceLocation
    private var number = 0
    private var reports = 0
    private let trace: TraceFile
    /// So that two properties try different values.
    private let salt: UInt64

    init(_ name: String, _ location: SourceLocation) {
      self.name = name
      self.location = location
      trace = TraceFile(name)
      salt = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    var goesOn: Bool { reports < mostReports }

    /// Processor time of this thread, so that a busy machine makes no findings.
    func seconds() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    mutating func begin(_ number: Int) -> FuzzCase {
      self.number = number
      trace.note(number)
      // Not in steps of SplitMix's own constant: neighbours would draw the same numbers, one place apart.
      return FuzzCase(random: Mutator(seed: salt ^ (Fuzz.seed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)))
    }

    mutating func fail(_ one: FuzzCase, _ problem: String) {
      reports += 1
      let text = "\(name): \(problem)\n  input \(one.input)\n  FUZZ_SEED=\(Fuzz.seed) FUZZ_CASE=\(number) repeats it"
      Issue.record(Comment(rawValue: text), sourceLocation: location)
    }

    mutating func took(_ seconds: Double, _ one: FuzzCase) {
      if seconds > longest { fail(one, "took \(seconds) s") }
    }
  }

  /// Remembers the case under way in a file, for the case that ends the process.
  private final class TraceFile {
    private let descriptor: Int32
    private let path: String

    init(_ name: String) {
      let folder = environment["FUZZ_TRACE"]
      path = "\(folder ?? "")/\(name.filter { $0.isLetter || $0.isNumber })"
      descriptor = folder == nil ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    }

    deinit {
      guard descriptor >= 0 else { return }
      close(descriptor)
      unlink(path)
    }

    func note(_ number: Int) {
      guard descriptor >= 0 else { return }
      let text = Array("FUZZ_SEED=\(Fuzz.seed) FUZZ_CASE=\(number)\n".utf8)
      _ = pwrite(descriptor, text, text.count, 0)
    }
  }
}

/// Scalars that a terminal may obey: controls, line and paragraph separators, and the marks that turn the writing direction.
func harmfulScalar(in text: String, except allowed: Set<Unicode.Scalar> = []) -> Unicode.Scalar? {
  text.unicodeScalars.first { scalar in
    guard !allowed.contains(scalar) else { return false }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }
}

/// An error is worth something when it is a sentence for people.
func claimSentence(_ text: String, limit: Int = 10_000) throws {
  try claim(text.utf8.count >= 5 && text.contains(" "), "no sentence: \(text)")
  try claim(text.utf8.count <= limit, "an error of \(text.utf8.count) bytes")
}
