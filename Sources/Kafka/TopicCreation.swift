/// What became of one topic of `createTopics`.
public enum TopicCreation: Hashable, Sendable {
  case created
  case alreadyExists
  case failed(KafkaError)
}
