import Redis

/// What a user of Redis has to be allowed (https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/): these commands, on
/// the keys of the ledger and of what is kept beside it.
enum RedisPermissions {
  static let commands = [
    "evalsha", "eval", "script|load", "time", "hmget", "hgetall", "hset", "hdel", "expire", "pexpire", "pttl",
  ]

  /// As the rules of `ACL SETUSER`.
  static func rules(prefix: String = "tubeline:quota:") -> String {
    (["~\(prefix)*"] + commands.map { "+\($0)" }).joined(separator: " ")
  }

  static let sentence = "Allow the user this: \(rules()) (and +select for another database than 0); docs/security.md says more."
}
