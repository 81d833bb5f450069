import Quota
import TestSupport
import Testing

@testable import QuotaStores

/// hiredis has no TLS: the way is a proxy on the same host.
@Suite(.timeLimit(.minutes(1)))
struct RedisTLSTests {
  @Test(arguments: ["rediss://cache:6380/0", "rediss://user:hunter2@cache"])
  func anAddressWithTLSNamesTheWay(url: String) async throws {
    let error = await #expect(throws: QuotaStoreError.self) { try await QuotaStoreURL.open(url, calendar: .pacific()) }
    #expect(error?.code == .invalid)
    for part in ["rediss://", "proxy", "stunnel", "docs/security.md"] { #expect(error?.message.contains(part) == true) }
    #expect(error?.message.contains("hunter2") == false)
  }

  @Test(.enabled(if: TLSProxy.isUsable, "stunnel4, openssl or redis-server is not installed"))
  func aLedgerBehindStunnelIsUsedOverTLS() async throws {
    let proxy = try await TLSProxy(trusts: .servers)
    let store = try await QuotaStoreURL.open(proxy.url, calendar: .pacific())
    for _ in 0..<5 { _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) }
    #expect(try await store.status(QuotaPolicy()).first?.spent == 5)
    await store.close()
    var isEncrypted = false
    for await line in proxy.log where line.contains("TLSv1.3") || line.contains("TLSv1.2") {
      isEncrypted = true
      break
    }
    #expect(isEncrypted)
  }

  /// Whoever sits between stunnel and Redis gets nothing.
  @Test(
    .enabled(if: TLSProxy.isUsable, "stunnel4, openssl or redis-server is not installed"),
    arguments: [(TLSProxy.Authority.another, "localhost"), (.servers, "other.example")])
  func aServerThatIsNotTheRightOneIsNotTalkedTo(authority: TLSProxy.Authority, host: String) async throws {
    let proxy = try await TLSProxy(trusts: authority, host: host)
    let store = try await QuotaStoreURL.open(proxy.url, calendar: .pacific())
    let error = await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) }
    #expect(error?.code == .unreachable)
    await store.close()
  }
}
