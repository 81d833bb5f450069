import FoundationEssentials
import Glibc

/// The process itself, under the names that every Prometheus client library gives it. Read from /proc; what it does not tell is left out.
public enum ProcessMetrics {
  private static let cpu = "process_cpu_seconds_total"
  private static let resident = "process_resident_memory_bytes"
  private static let virtual = "process_virtual_memory_bytes"
  private static let descriptors = "process_open_fds"
  private static let descriptorLimit = "process_max_fds"
  private static let threads = "process_threads"
  private static let start = "process_start_time_seconds"
  private static let build = "tubeline_build_info"

  public static func declare(in metrics: Metrics) {
    metrics.declare(.counter, cpu, help: "User and system CPU time spent, in seconds.")
    metrics.declare(.gauge, resident, help: "Resident memory, in bytes.")
    metrics.declare(.gauge, virtual, help: "Virtual memory, in bytes.")
    metrics.declare(.gauge, descriptors, help: "Open file descriptors.")
    metrics.declare(.gauge, descriptorLimit, help: "The most file descriptors that may be open.")
    metrics.declare(.gauge, threads, help: "Threads.")
    metrics.declare(.gauge, start, help: "When the process started, in seconds since 1970.")
    metrics.declare(.gauge, build, help: "1; its label tells which version runs.", labels: ["version"])
    metrics.set(build, to: 1, BuildInformation.version)
  }

  /// Sets the values to what is now.
  public static func update(_ metrics: Metrics) {
    if let fields = text("/proc/self/stat").flatMap(ProcessStatistics.init) {
      let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
      metrics.set(cpu, to: Double(fields.cpuTicks) / ticks)
      metrics.set(resident, to: Double(fields.residentPages * sysconf(Int32(_SC_PAGESIZE))))
      metrics.set(virtual, to: Double(fields.virtualBytes))
      metrics.set(threads, to: Double(fields.threads))
      metrics.set(start, to: booted + Double(fields.startTicks) / ticks)
    }
    // Less the one that looks.
    if let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      metrics.set(descriptors, to: Double(max(0, names.count - 1)))
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 { metrics.set(descriptorLimit, to: Double(limit.rlim_cur)) }
  }

  // Asked once: by clocks it would differ a little each time.
  private static let booted = bootTime(text("/proc/stat"))

  /// In seconds since 1970. Under systemd's `ProcSubset=pid` there is no /proc/stat.
  static func bootTime(_ statistics: String?) -> Double {
    let line = statistics?.split(separator: "\n").first { $0.hasPrefix("btime ") }
    if let told = line.flatMap({ Double($0.dropFirst(6)) }) { return told }
    var up = timespec()
    clock_gettime(CLOCK_BOOTTIME, &up)
    return (Date().timeIntervalSince1970 - Double(up.tv_sec)).rounded()
  }

  static func text(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = fread(&bytes, 1, bytes.count, file)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}

/// The fields of /proc/PID/stat that are used (proc(5)).
struct ProcessStatistics: Equatable {
  let cpuTicks: Int
  let threads: Int
  let startTicks: Int
  let virtualBytes: Int
  let residentPages: Int

  /// The second field is the program's name, in which blanks and brackets may stand: the last bracket ends it.
  init?(_ line: String) {
    guard let bracket = line.lastIndex(of: ")") else { return nil }
    let fields = line[line.index(after: bracket)...].split(whereSeparator: \.isWhitespace).map(String.init)
    // fields[0] is the third of the file.
    guard fields.count > 21, let user = Int(fields[11]), let system = Int(fields[12]), let threads = Int(fields[17]),
      let start = Int(fields[19]), let virtual = Int(fields[20]), let resident = Int(fields[21])
    else { return nil }
    cpuTicks = user + system
    self.threads = threads
    startTicks = start
    virtualBytes = virtual
    residentPages = resident
  }
}
