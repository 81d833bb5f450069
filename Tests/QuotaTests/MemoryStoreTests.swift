import Quota
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MemoryStoreTests {
  @Test(arguments: QuotaStoreConformance.cases)
  func conforms(_ conformance: QuotaStoreConformance.Case) async throws {
    try await conformance.run(.memory())
  }
}
