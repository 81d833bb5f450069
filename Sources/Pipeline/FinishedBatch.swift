import Messages
import Telemetry

/// What a handled message leads to, kept with the message until it is delivered.
struct Handled: Sendable {
  let message: ReceivedMessage
  var outputs: [OutgoingMessage]
  /// The span of handling it, where that is traced.
  var trace: TraceContext?
  /// The outputs that need no publishing any more, by index: what the broker has, and what it will never take.
  var done = Set<Int>()
}

/// The finished work of several partitions that is delivered together.
struct FinishedBatch: Sendable {
  var handled: [Handled] = []
  var positions: [TopicPartition: (offset: Int64, epoch: Int)] = [:]

  var isEmpty: Bool { handled.isEmpty }

  /// What is to be published still, in order.
  var waiting: [OutgoingMessage] { places.map { handled[$0.message].outputs[$0.output] } }

  /// One output: the message it comes from, and its index there.
  struct Place: Sendable {
    let message: Int
    let output: Int
  }

  /// Where the output stands that is number `index` of `waiting`.
  func place(of index: Int) -> Place? { places.dropFirst(max(index, 0)).first }

  private var places: [Place] {
    handled.indices.flatMap { message in
      handled[message].outputs.indices.lazy.filter { !handled[message].done.contains($0) }.map { Place(message: message, output: $0) }
    }
  }
}
