/// Where reading of an assigned partition starts.
public enum StartPosition: Hashable, Sendable {
  case beginning
  case end
  case offset(Int64)
}
