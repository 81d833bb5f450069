import Foundation
import Glibc
import JSON
import Messages
import Stages
import TestSupport
import Testing

extension EndToEndTests {
  /// Marked secrets are looked for in everything that a run shows: of runs that succeed, and of runs that fail.
  @Suite(.serialized, .needsRedis, .timeLimit(.minutes(4)))
  struct SecretTests {
    private static let rules = "~tubeline:quota:* +evalsha +eval +script|load +time +hmget +hgetall +hset +hdel +expire +pexpire +pttl"

    /// A redis-server that lets in who has the password, and the settings for it.
    private func guardedLedger(_ secrets: MarkedSecrets) async throws -> [String: String] {
      let world = try World.current
      let users = "\(world.folder)/users.acl"
      let digest = secrets.redisPassword
      try Data("user default off\nuser worker on >\(digest) \(Self.rules)\n".utf8).write(to: URL(fileURLWithPath: users))
      let redis = try await world.startRedis(users: users)
      return [
        "QUOTA_STORE": redis.address.replacing("unix://", with: "unix://worker@"), "QUOTA_STORE_PASSWORD": secrets.redisPassword,
      ]
    }

    /// The mock cluster takes no passwords; the library is given them, and told to say all that it does.
    private func settings(_ secrets: MarkedSecrets) -> [String: String] {
      [
        "YOUTUBE_API_KEY": secrets.apiKey, "KAFKA_SASL_USERNAME": "worker", "KAFKA_SASL_PASSWORD": secrets.saslPassword,
        "KAFKA_SSL_KEY_PASSWORD": secrets.keyPassword, "KAFKA_DEBUG": "all", "LOG_LEVEL": "debug", "RETRY_ATTEMPTS": "2",
      ]
    }

    private func file(_ name: String, _ content: String) throws -> String {
      let path = "\(try World.current.folder)/\(name)"
      try Data("\(content)\n".utf8).write(to: URL(fileURLWithPath: path))
      return path
    }

    /// Faults of every kind, among them one that tells the key, as an API might.
    private func disturb(_ secrets: MarkedSecrets) async throws {
      let world = try World.current
      let body = "{\"error\": {\"code\": 500, \"message\": \"The key \(secrets.apiKey) met an error.\"}}"
      let problems: [JSONTree] = [
        ["status": 500, "reason": "backendError"], ["action": "reset"], ["action": "malformed"], ["status": 500, "body": .string(body)],
      ]
      for method in ["channels.list", "playlistItems.list", "videos.list"] {
        for var problem in problems {
          problem["match"] = ["method": .string(method)]
          try await world.stub.fault(problem)
        }
      }
      let broken = try await world.stub.truth("@Apple")
      try await world.stub.fault(
        [
          "match": ["method": "playlistItems.list", "playlistId": .string(broken.uploadsPlaylistID)], "count": -1, "status": 500,
          "body": .string(body),
        ])
    }

    @Test(.world(), arguments: ["header", "query"])
    func aWholeRunShowsNoSecret(placement: String) async throws {
      let world = try World.current
      var secrets = MarkedSecrets()
      var settings = settings(secrets).merging(try await guardedLedger(secrets)) { $1 }
      settings["YOUTUBE_API_KEY_PLACEMENT"] = placement
      var ports: [UInt16] = []
      for stage in World.stages {
        ports.append(try FreePort.find())
        settings["HTTP_PORT"] = "\(ports.last ?? 0)"
        if stage == .videos {
          for variable in ["YOUTUBE_API_KEY", "QUOTA_STORE_PASSWORD", "KAFKA_SASL_PASSWORD"] {
            settings["\(variable)_FILE"] = try file(variable, settings[variable] ?? "")
            settings[variable] = ""
          }
        }
        _ = try world.start("tubeline-\(stage.rawValue)", settings: settings)
      }
      for worker in world.workers() { try await worker.joined() }
      try await disturb(secrets)
      _ = try await world.plain("https://vimeo.com/12345")
      async let failed = world.outcome(["channel": "@Apple"])
      #expect(try await world.outcome(["channel": "@hidden-counts"]).ending["type"] == "completed")
      #expect(try await failed.ending["type"] == "failed")
      for port in ports { try await secrets.addAnswers(of: port) }
      try secrets.addCommandLines()
      try await secrets.addMessages(of: world)
      for worker in world.workers() {
        worker.send(SIGTERM)
        #expect(try await worker.ended() == .exited(0))
        #expect(worker.log.contains { $0.contains("\"level\":\"debug\"") && $0.contains("librdkafka") })
        secrets.add(worker)
      }
      #expect(!world.messages(.dead(.channels)).isEmpty && !world.messages(.dead(.playlists)).isEmpty)
      secrets.expectNone()
    }

    /// Runs that end at once, each with what it has to say.
    private struct WrongStart {
      let settings: [String: String]
      let says: [String]
    }

    private func wrongStarts(_ secrets: MarkedSecrets, _ ledger: [String: String]) -> [WrongStart] {
      let sasl = ["KAFKA_SECURITY_PROTOCOL": "sasl_plaintext"]
      let other = ledger.merging(["QUOTA_STORE_PASSWORD": secrets.redisPassword + "x"]) { $1 }
      let address = ledger["QUOTA_STORE"] ?? ""
      return [
        WrongStart(settings: other, says: ["QUOTA_STORE", "WRONGPASS", "redis.sock"]),
        WrongStart(settings: ["QUOTA_STORE": "redis://u:\(secrets.redisPassword)@h:port/0"], says: ["QUOTA_STORE", "port"]),
        WrongStart(settings: ["QUOTA_STORE": "rediss://u:\(secrets.saslPassword)@h"], says: ["QUOTA_STORE", "TLS proxy"]),
        WrongStart(settings: ["QUOTA_STORE": "postgres://u:\(secrets.saslPassword)@h"], says: ["QUOTA_STORE", "redis://"]),
        WrongStart(
          settings: ["QUOTA_STORE": address, "QUOTA_STORE_PASSWORD_FILE": "/nowhere"], says: ["QUOTA_STORE_PASSWORD_FILE", "/nowhere"]),
        WrongStart(settings: ["YOUTUBE_API_KEY": "\(secrets.apiKey) \(secrets.apiKey)"], says: ["YOUTUBE_API_KEY"]),
        WrongStart(settings: ["YOUTUBE_API_URL": "https://u:\(secrets.saslPassword)@h?key=\(secrets.apiKey)"], says: ["YOUTUBE_API_URL"]),
        WrongStart(settings: sasl, says: ["KAFKA_SASL_MECHANISM", "SCRAM-SHA-512"]),
        WrongStart(settings: sasl.merging(["KAFKA_SASL_MECHANISM": "PLAN"]) { $1 }, says: ["KAFKA_SASL_MECHANISM", "PLAN"]),
        WrongStart(settings: ["KAFKA_SSL_CA_LOCATION": "/nowhere/ca.pem"], says: ["KAFKA_SSL_CA_LOCATION", "/nowhere/ca.pem"]),
        WrongStart(
          settings: ["KAFKA_SSL_CERTIFICATE_LOCATION": "/etc/hostname"], says: ["KAFKA_SSL_CERTIFICATE_LOCATION", "KAFKA_SSL_KEY_LOCATION"]),
        WrongStart(
          settings: [
            "KAFKA_SECURITY_PROTOCOL": "ssl", "KAFKA_SSL_KEY_PEM": secrets.keyPassword, "KAFKA_SSL_CERTIFICATE_LOCATION": "/etc/hostname",
          ], says: ["ssl.certificate.location"]),
      ]
    }

    @Test(.world()) func aWrongStartNamesTheVariableAndShowsNoSecret() async throws {
      let world = try World.current
      var secrets = MarkedSecrets()
      let ledger = try await guardedLedger(secrets)
      for wrong in wrongStarts(secrets, ledger) {
        let worker = try world.start("tubeline-playlists", settings: settings(secrets).merging(wrong.settings) { $1 })
        #expect(try await worker.ended() == .exited(2), "\(wrong.says): \(worker.tail())")
        for part in wrong.says { #expect(worker.log.contains { $0.contains(part) }, "\(part): \(worker.tail())") }
        secrets.add(worker)
      }
      secrets.expectNone()
    }

    @Test(.world(.init(settings: ["RETRY_STOPPED_DELAY": "500ms"])))
    func aKeyThatTheAPIRefusesIsNotShown() async throws {
      let world = try World.current
      var secrets = MarkedSecrets()
      let port = try FreePort.find()
      let more = ["HTTP_PORT": "\(port)", "YOUTUBE_API_KEY": "invalid-\(secrets.apiKey)"]
      let worker = try await world.start(.channels, settings: settings(secrets).merging(more) { $1 })[0]
      _ = try await world.request(["channel": "@Google"])
      try await worker.logged("The stage is stopped until this is mended")
      try await secrets.addAnswers(of: port)
      worker.send(SIGTERM)
      try await worker.ended()
      secrets.add(worker)
      try await secrets.addMessages(of: world)
      secrets.expectNone()
    }

    @Test(.world(), arguments: ["PLAIN", "SCRAM-SHA-512"])
    func aBrokerThatRefusesThePasswordIsToldOfWithoutIt(mechanism: String) async throws {
      let world = try World.current
      var secrets = MarkedSecrets()
      let more = ["KAFKA_SECURITY_PROTOCOL": "sasl_plaintext", "KAFKA_SASL_MECHANISM": mechanism]
      let worker = try world.start("tubeline-videos", settings: settings(secrets).merging(more) { $1 })
      try await worker.logged("Failed to initialize SASL authentication")
      let doctor = try world.start("tubeline", ["doctor"], settings: settings(secrets).merging(more) { $1 })
      #expect(try await doctor.ended() == .exited(1))
      #expect(doctor.output.contains { $0.contains("PROBLEM") && $0.contains("SASL") }, "\(doctor.output)")
      secrets.add(doctor)
      try secrets.addCommandLines()
      worker.send(SIGTERM)
      #expect(try await worker.ended() == .exited(0))
      secrets.add(worker)
      secrets.expectNone()
    }

    @Test(.world()) func aHarvestAndItsWorkersShowNoSecret() async throws {
      let world = try World.current
      var secrets = MarkedSecrets()
      let settings = settings(secrets).merging(try await guardedLedger(secrets)) { $1 }
      let log = "\(world.folder)/workers.log"
      let records = "\(world.folder)/videos.jsonl"
      let arguments = ["harvest", "Apple", "--max-videos", "120", "--log-file", log, "--output", records]
      let harvest = try world.start("tubeline", arguments, settings: settings)
      while harvest.isRunning && secrets.seen.count(where: { $0.text.contains("tubeline-videos") }) == 0 {
        try secrets.addCommandLines()
        await Task.yield()
      }
      #expect(try await harvest.ended(within: .seconds(100)) == .exited(0), "\(harvest.tail(40))")
      try secrets.addCommandLines()
      secrets.add(harvest)
      for path in [log, records] { try secrets.addFile(path) }
      #expect(secrets.seen.contains { $0.place.contains("command line") && $0.text.contains("tubeline-videos") })
      let refused = try world.start(
        "tubeline", arguments, settings: settings.merging(["QUOTA_STORE_PASSWORD": secrets.redisPassword + "x"]) { $1 })
      #expect(try await refused.ended(within: .seconds(100)) != .exited(0))
      #expect(refused.log.contains { $0.contains("WRONGPASS") }, "\(refused.tail(40))")
      secrets.add(refused)
      try secrets.addFile(log)
      secrets.expectNone()
    }

    private static let commands = [
      ["doctor"], ["doctor", "--spend"], ["quota", "show"], ["quota", "set", "default", "7"], ["plan", "@Google"], ["topics", "describe"],
      ["dead-letters", "list"], ["publish", "@Google"], ["publish"], ["quota", "show", "extra"],
      ["quota", "--quota-store", "postgres://h"],
    ]

    @Test(.world()) func commandsAndHelpTextsShowNoSecret() async throws {
      let world = try World.current
      var secrets = MarkedSecrets()
      let right = settings(secrets).merging(try await guardedLedger(secrets)) { $1 }
      let wrong = right.merging(["QUOTA_STORE_PASSWORD": secrets.redisPassword + "x", "YOUTUBE_API_KEY": "invalid-\(secrets.apiKey)"]) {
        $1
      }
      var started: [StartedProgram] = []
      for arguments in Self.commands {
        for settings in [right, wrong] { started.append(try world.start("tubeline", arguments, settings: settings)) }
        started.append(try world.start("tubeline", arguments.prefix(2) + ["--help"], settings: right))
        for program in started where program.isRunning { try await program.ended() }
      }
      for stage in World.stages { started.append(try world.start("tubeline-\(stage.rawValue)", ["--help"], settings: right)) }
      started.append(try world.start("tubeline", ["--help"], settings: right))
      for program in started {
        try await program.ended()
        secrets.add(program)
      }
      #expect(started.contains { $0.output.contains { $0.contains("WRONGPASS") } })
      secrets.expectNone()
    }
  }
}
