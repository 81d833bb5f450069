import Testing

/// The real executables, the stub and a broker, from outside: what Cases/ holds, one after the other, so that each has the machine.
@Suite(.serialized)
enum EndToEndTests {}
