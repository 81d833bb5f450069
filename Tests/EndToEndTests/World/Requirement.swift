import Foundation
import Glibc
import Testing

/// Programs and files that a test needs beside the project. On a developer's machine a missing one skips the test aloud; with CI set it
/// is a failure, which the test reports when it starts the program.
enum Requirement {
  static func isInstalled(_ program: String) -> Bool {
    ["/usr/local/bin", "/usr/bin", "/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  static let fakeTimeLibrary: String? = {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
    return folders.map { "\($0)/faketime/libfaketime.so.1" }.first { access($0, R_OK) == 0 }
  }()

  /// The recorded answers beside the project, or where TUBELINE_FIXTURES says.
  static let recordings: String? = {
    let folder = ProcessInfo.processInfo.environment["TUBELINE_FIXTURES"] ?? Executables.root + "/../shared/fixtures"
    return access(folder, R_OK) == 0 ? folder : nil
  }()

  static var isCI: Bool { getenv("CI") != nil }

  fileprivate static func check(_ isThere: Bool, _ what: String, isOptional: Bool) -> Bool {
    if isThere { return true }
    print("SKIPPED: end-to-end tests that need \(what)" + (isCI && !isOptional ? ", which CI must have." : "."))
    return isCI && !isOptional
  }
}

extension Trait where Self == ConditionTrait {
  static var needsRedis: Self {
    .enabled("redis-server is missing") { Requirement.check(Requirement.isInstalled("redis-server"), "redis-server", isOptional: false) }
  }

  static var needsFakeTime: Self {
    .enabled("libfaketime is missing") {
      Requirement.check(Requirement.fakeTimeLibrary != nil, "libfaketime (Debian: faketime)", isOptional: false)
    }
  }

  static var needsRecordings: Self {
    .enabled("../shared/fixtures is missing") {
      Requirement.check(Requirement.recordings != nil, "the recorded answers in ../shared/fixtures", isOptional: true)
    }
  }
}

/// Where the executables under test and the project are.
enum Executables {
  /// The folder of the test bundle itself, unless TUBELINE_BIN names another.
  static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["TUBELINE_BIN"] { return folder }
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }()

  static let root = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
}
